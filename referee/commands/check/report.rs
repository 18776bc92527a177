//! Reports of a check run as text, JSON and JUnit XML.

use super::findings::{Check, CheckVerdict, Checked, NotStarted, Report};
use arbitre_referee::escape::xml;
use serde_json::{json, Value};

/// Returns one line per check, followed by the fixes. Of a player that could not be started,
/// returns the reason.
pub fn text(checked: &Checked) -> String {
    match checked {
        Checked::Report(report) => report_text(report),
        Checked::NotStarted(NotStarted { player, command, why, .. }) => {
            // A reason may have a second line with a remedy.
            let lines = arbitre_games::text::report(why);
            format!("{player} ({command}) could not be started\n{lines}")
        }
    }
}

fn report_text(report: &Report) -> String {
    let mut text = format!(
        "{} ({}) at {}, dialect {}, games: {}, seed {}\n",
        report.player, report.command, report.game, report.dialect.name, report.games, report.seed
    );
    for (check, verdict) in &report.findings {
        let (word, detail) = match verdict {
            CheckVerdict::Ok(detail) => ("ok", detail.as_str()),
            CheckVerdict::Failed(_) => ("FAILED", "see below"),
            CheckVerdict::Skipped(why) => ("skipped", why.as_str()),
        };
        text +=
            &format!("  {word:<8} {:<11} {}: {detail}\n", check.name(), check.what(report.dialect));
    }
    let failures = failures(report);
    if failures.is_empty() {
        return text + "nothing to fix\n";
    }
    for (check, lines) in failures {
        text += &format!("\nto fix: {}\n", check.name());
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

fn failures(report: &Report) -> Vec<(Check, &[String])> {
    let failed = report.findings.iter().filter_map(|(check, verdict)| match verdict {
        CheckVerdict::Failed(lines) => Some((*check, &lines[..])),
        CheckVerdict::Ok(_) | CheckVerdict::Skipped(_) => None,
    });
    failed.collect()
}

/// Returns the result as one JSON document.
pub fn document(checked: &Checked) -> Value {
    match checked {
        Checked::Report(report) => report_document(report),
        Checked::NotStarted(NotStarted { game, player, command, why }) => json!({
            "game": game, "player": player, "command": command, "ok": false, "error": why,
        }),
    }
}

fn report_document(report: &Report) -> Value {
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
        "game": report.game, "rules": report.rules, "player": report.player, "command": report.command,
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
    let name = quoted(&format!("referee check {}", checked.command()));
    let report = match checked {
        Checked::Report(report) => report,
        Checked::NotStarted(NotStarted { player, why, .. }) => {
            let (class, message) = (quoted(player), quoted(why));
            let (check, head) =
                (quoted(Check::Start.name()), "tests=\"1\" failures=\"0\" errors=\"1\"");
            return format!(
                "  <testsuite name={name} {head} skipped=\"0\">\n    <testcase classname={class} \
                 name={check}><error message={message}/></testcase>\n  </testsuite>\n"
            );
        }
    };
    let count = |is: fn(&CheckVerdict) -> bool| {
        report.findings.iter().filter(|(_, verdict)| is(verdict)).count()
    };
    let (tests, failures, skipped) = (
        report.findings.len(),
        count(|verdict| matches!(verdict, CheckVerdict::Failed(_))),
        count(|verdict| matches!(verdict, CheckVerdict::Skipped(_))),
    );
    let mut text = format!(
        "  <testsuite name={name} tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">\n"
    );
    report.findings.iter().for_each(|(check, verdict)| text += &case(report, *check, verdict));
    text + "  </testsuite>\n"
}

fn case(report: &Report, check: Check, verdict: &CheckVerdict) -> String {
    let (class, name) = (quoted(&report.player), quoted(check.name()));
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
