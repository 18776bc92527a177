//! Hextris beside the contest's own judgement, and at the table.

use arbitre_test_support::answers;
use arbitre_test_support::command;
mod commands;
use arbitre_test_support::data;
mod solutions;
mod table;
