//! Entry point of the Awélé bots.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::awele::BOT)
}
