//! Entry point of `play_icfp2015`, the name of the contest for programs.

fn main() -> std::process::ExitCode {
    arbitre::bots::hextris::contest()
}
