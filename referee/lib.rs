//! The referee: starts players, passes lines between them under time limits, and estimates their
//! strength and its error.

pub mod chart;
pub mod config;
pub mod escape;
pub mod external;
pub mod failure;
pub mod formats;
pub mod games;
pub mod play;
pub mod player;
pub mod registry;
pub mod report;
pub mod run;
pub mod statistics;
pub mod store;
pub mod submissions;
pub mod templates;
