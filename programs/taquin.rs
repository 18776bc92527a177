//! Entry point of the Taquin solvers.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::taquin::BOT)
}
