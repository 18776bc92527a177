//! Entry point of the Seven Colors bots.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::seven_colors::BOT)
}
