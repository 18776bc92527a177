//! The strategies of a report of 2016 (R. Hutin, R. Sun, "Arcsys : le jeu des 7 couleurs"), and three of
//! another report on the same task (C. Morand, I. Martayan, 2020).

mod context;
mod napoleon;
mod perimeter;
mod planners;
mod simple;

pub use context::{MoveContext, Strategy};
pub use napoleon::Napoleon;
pub use perimeter::{Hegemonic, HegemonicContact, HegemonicExpanding, Hybrid};
pub use planners::{Mix, Oracle, TwoPlyPlanner};
pub use simple::{Greedy, Random};
