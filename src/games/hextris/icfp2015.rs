//! The dialect of the contest: the problem is a file, all else is on the command line, and the
//! answer is all that the program prints. Its two ends stand where files are written and read.

use crate::dialect::DialectInfo;

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo::arena("icfp2015");
