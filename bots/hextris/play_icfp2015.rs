//! The door under the contest's name.

fn main() -> std::process::ExitCode {
    arbitre::bots::hextris::contest()
}
