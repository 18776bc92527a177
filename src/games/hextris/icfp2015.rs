//! The dialect of the contest. The problem is a file, all other input is on the command line, and
//! the answer is all that the program prints. Only its description is here: both ends read and
//! write files, and belong to the referee and to the bot.

use crate::dialect::DialectInfo;

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo::arena("icfp2015");
