//! The strategies of a report of 2016 (R. Hutin, R. Sun, "Arcsys : le jeu des 7 couleurs"). Three
//! are from another report on the same task (C. Morand, I. Martayan, 2020).

mod context;
mod napoleon;
mod perimeter;
mod planners;
mod simple;

pub use context::{MoveContext, Strategy};
pub use napoleon::napoleon;
pub use perimeter::{hegemonic, hegemonic_contact, hegemonic_expanding, hybrid};
pub use planners::{foreseeing, mix, oracle, MIX_WEIGHT};
pub use simple::{greedy, Random};
