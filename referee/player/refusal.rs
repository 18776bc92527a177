//! Refusals of a sandbox in words, with the options that allow the access.

use arbitre_games::text::format_size;
use arbitre_process::sandbox::refusal::Refusal;

/// Returns one line that names a refused access, and the option that allows it. The line may
/// contain any characters of a path.
pub fn in_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Hidden { path, is_device } => {
            let (path, option) = (path.display(), if *is_device { "device" } else { "read" });
            format!("the sandbox hides {path}; --allow-{option} {path} shows it")
        }
        Refusal::Protected(path) => {
            let path = path.display();
            format!("the sandbox protects {path}; --allow-write {path} allows it")
        }
        Refusal::Network => "the sandbox has no network; --allow-network allows it".into(),
        Refusal::Scratch(size) => {
            format!("a program may write {}; --scratch SIZE allows more", format_size(*size))
        }
        Refusal::Heap(size) => format!(
            "its heap may have {}; --memory allows more, memory=2GiB in its brackets too",
            format_size(*size)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_option_that_allows_the_access() {
        let hidden = |is_device| Refusal::Hidden { path: "/x/a".into(), is_device };
        for (refusal, line) in [
            (hidden(false), "the sandbox hides /x/a; --allow-read /x/a shows it"),
            (hidden(true), "the sandbox hides /x/a; --allow-device /x/a shows it"),
            (
                Refusal::Protected("/x/a".into()),
                "the sandbox protects /x/a; --allow-write /x/a allows it",
            ),
            (Refusal::Network, "the sandbox has no network; --allow-network allows it"),
            (Refusal::Scratch(64 << 20), "a program may write 64MiB; --scratch SIZE allows more"),
            (
                Refusal::Heap(768 << 20),
                "its heap may have 768MiB; --memory allows more, memory=2GiB in its brackets too",
            ),
        ] {
            assert_eq!(in_words(&refusal), line);
        }
    }
}
