//! Facts about a game besides its moves and its result.

use arbitre_process::attempts::Attempts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Notes on a game. Keys of later versions are kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// Reason for the end as the rules gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Score of each seat as the rules gave it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<String>,
    /// Values that the rules published.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Attempts of each seat to reach beyond its sandbox; empty if there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempts>,
    /// Time of each seat that a question and its answer travelled, in microseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub round_trips: Vec<Option<u64>>,
    /// Whether each seat was played on a machine of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own_machine: Vec<bool>,
    /// Whether each seat was seen to run on processors that it was not given; empty if none was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_processors: Vec<bool>,
    /// Number of positions whose texts were too large to be stored.
    #[serde(skip_serializing_if = "is_zero")]
    pub texts_left_out: u64,
    /// Keys of later versions.
    #[serde(flatten)]
    pub rest: BTreeMap<String, serde_json::Value>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
