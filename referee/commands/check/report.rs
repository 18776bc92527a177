//! Reports of a check run as text, JSON and JUnit XML.

use super::findings::{Check, CheckVerdict, Checked, Report};
use arbitre_referee::escape::xml;
use serde_json::{json, Value};

/// Returns one line per check, followed by the fixes. Of a player that could not be started,
/// returns the reason.
pub fn text(checked: &Checked) -> String {
    let Checked { game, player, command, outcome } = checked;
    let Report { dialect, seed, games, findings, .. } = match outcome {
        Ok(report) => report,
        Err(why) => {
            // A reason may have a second line with a remedy.
            let lines = arbitre_games::text::report(why);
            return format!("{player} ({command}) could not be started\n{lines}");
        }
    };
    let mut text = format!(
        "{player} ({command}) at {game}, dialect {}, games: {games}, seed {seed}\n",
        dialect.name
    );
    for (check, verdict) in findings {
        let (word, detail) = match verdict {
            CheckVerdict::Ok(detail) => ("ok", detail.as_str()),
            CheckVerdict::Failed(_) => ("FAILED", "see below"),
            CheckVerdict::Skipped(why) => ("skipped", why.as_str()),
        };
        text += &format!("  {word:<8} {:<11} {}: {detail}\n", check.name(), check.what(dialect));
    }
    if checked.is_ok() {
        return text + "nothing to fix\n";
    }
    for (check, lines) in outcome.iter().flat_map(Report::failures) {
        text += &format!("\nto fix: {}\n", check.name());
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

/// Returns the result as one JSON document.
pub fn document(checked: &Checked) -> Value {
    let Checked { game, player, command, outcome } = checked;
    let report = match outcome {
        Ok(report) => report,
        Err(why) => {
            return json!({
                "game": game, "player": player, "command": command, "ok": false, "error": why,
            })
        }
    };
    let checks = report.findings.iter().map(|(check, verdict)| {
        let (word, detail, mend) = match verdict {
            CheckVerdict::Ok(detail) => ("ok", Some(detail), None),
            CheckVerdict::Failed(lines) => ("failed", None, Some(lines)),
            CheckVerdict::Skipped(why) => ("skipped", Some(why), None),
        };
        json!({
            "check": check.name(), "what": check.what(report.dialect), "verdict": word, "detail": detail,
            "mend": mend,
        })
    });
    json!({
        "game": game, "rules": report.rules, "player": player, "command": command,
        "dialect": report.dialect.name, "seed": report.seed, "games": report.games,
        "ok": report.is_ok(), "checks": checks.collect::<Vec<Value>>(),
    })
}

/// Returns the results as JUnit XML for continuous integration, with one suite per player.
pub fn junit(all: &[Checked]) -> String {
    let suites: String = all.iter().map(suite).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n")
}

fn suite(checked: &Checked) -> String {
    let Checked { player, command, outcome, .. } = checked;
    let (name, class) = (quoted(&format!("referee check {command}")), quoted(player));
    let report = match outcome {
        Ok(report) => report,
        Err(why) => {
            let message = quoted(why);
            let (check, head) =
                (quoted(Check::Start.name()), "tests=\"1\" failures=\"0\" errors=\"1\"");
            return format!(
                "  <testsuite name={name} {head} skipped=\"0\">\n    <testcase classname={class} \
                 name={check}><error message={message}/></testcase>\n  </testsuite>\n"
            );
        }
    };
    let (tests, failures) = (report.findings.len(), report.failures().len());
    let skipped = report.findings.iter().filter(|(_, of)| matches!(of, CheckVerdict::Skipped(_)));
    let skipped = skipped.count();
    let mut text = format!(
        "  <testsuite name={name} tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">\n"
    );
    report.findings.iter().for_each(|(check, verdict)| text += &case(&class, *check, verdict));
    text + "  </testsuite>\n"
}

fn case(class: &str, check: Check, verdict: &CheckVerdict) -> String {
    let name = quoted(check.name());
    let body = match verdict {
        CheckVerdict::Ok(detail) => format!("<system-out>{}</system-out>", escaped(detail)),
        CheckVerdict::Skipped(why) => format!("<skipped message={}/>", quoted(why)),
        CheckVerdict::Failed(lines) => {
            let message = quoted(lines.first().map_or("", String::as_str));
            format!("<failure message={message}>{}</failure>", escaped(&lines.join("\n")))
        }
    };
    format!("    <testcase classname={class} name={name}>{body}</testcase>\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('\n', "&#10;"))
}

fn escaped(text: &str) -> String {
    xml(text).replace('\'', "&apos;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_attributes_are_escaped() {
        assert_eq!(quoted("a\n<b> 'c'"), "\"a&#10;&lt;b&gt; &apos;c&apos;\"");
    }
}
