//! Hextris against the contest's own scores, at the table, and from the command line.

use arbitre_test_support::answers;
use arbitre_test_support::command;
mod commands;
use arbitre_test_support::data;
mod solutions;
mod table;
