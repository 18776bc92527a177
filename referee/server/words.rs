//! Words of the pages in English and French.

/// Language of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// French.
    French,
}

impl Language {
    /// All languages, in the order of the table.
    pub const ALL: [Language; 2] = [Language::English, Language::French];

    /// Returns the code of the language.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
        }
    }

    /// Returns the language of a code.
    pub fn of(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Returns the language that a browser asks for first, of those that there are.
    pub fn accepted(header: &str) -> Language {
        let codes = header.split(',').map(|part| part.trim().get(..2).unwrap_or_default());
        codes.into_iter().find_map(|code| Language::of(&code.to_lowercase())).unwrap_or_default()
    }

    /// Returns a word of the table.
    ///
    /// # Panics
    /// Panics if the table does not have it; a test looks for all that templates name.
    pub fn w(self, key: &str) -> &'static str {
        let found = TABLE.iter().find(|(known, ..)| *known == key);
        let (_, english, french) = found.unwrap_or_else(|| panic!("no word for {key}"));
        match self {
            Language::English => english,
            Language::French => french,
        }
    }

    /// Returns a count with its word, which has a form for one and a form for several.
    pub fn count(self, count: u64, one: &str, several: &str) -> String {
        // French has no plural for zero.
        let is_one = count == 1 || count == 0 && self == Language::French;
        format!("{count} {}", self.w(if is_one { one } else { several }))
    }

    /// Returns a number with one digit after the decimal sign of the language.
    pub fn decimal(self, value: f64) -> String {
        let text = format!("{value:.1}");
        match self {
            Language::English => text,
            Language::French => text.replace('.', ","),
        }
    }
}

/// Words by key: English, French.
const TABLE: &[(&str, &str, &str)] = &[
    ("above", "places gained in the last hour", "places gagnées en une heure"),
    ("add", "Add", "Ajouter"),
    ("add-people", "Add people", "Ajouter des personnes"),
    ("address", "Address", "Adresse"),
    ("again", "Back to the room", "Retour à la salle"),
    ("alike", "Programs with much in common", "Programmes très semblables"),
    ("alike-note", "The share of the shorter program that is in the other, too, whatever the names. A lesson, a template or work in pairs makes programs alike.", "La part du programme le plus court qui se trouve aussi dans l’autre, quels que soient les noms. Un cours, un modèle ou le travail à deux rendent des programmes semblables."),
    ("alone", "no player yet", "pas encore de joueur"),
    ("ask", "Play now", "Jouer maintenant"),
    ("ask-title", "Ask for a game", "Demander une partie"),
    ("ask-waits", "Your game begins as soon as a table is free.", "Votre partie commence dès qu’une table est libre."),
    ("at-board", "(at the board)", "(au plateau)"),
    ("backup", "Download a backup", "Télécharger une sauvegarde"),
    ("best", "Best", "Meilleur"),
    ("board", "Board", "Plateau"),
    ("board-again", "Another game", "Une autre partie"),
    ("board-asked", "You are asked to play against", "On vous demande de jouer contre"),
    ("board-asking", "The game begins when all have sat down.", "La partie commence quand tous ont pris place."),
    ("board-decline", "No, thank you", "Non, merci"),
    ("board-give-up", "Give up", "Abandonner"),
    ("board-give-up-note", "The game is lost. Before its first move, there is none.", "La partie est perdue. Avant le premier coup, il n’y en a pas."),
    ("board-left", "There is no game, or it is void: a player left, did not come, or made no move in its time.", "Pas de partie, ou elle est nulle et non avenue : un joueur est parti, n’est pas venu, ou n’a pas joué à temps."),
    ("board-mine", "Your game is at the board, against", "Votre partie est au plateau, contre"),
    ("board-note", "You play yourself, in the browser. The game counts for no rating. Each move has ten minutes; then the game is void.", "Vous jouez vous-même, dans le navigateur. La partie ne compte pas au classement. Chaque coup a dix minutes ; ensuite la partie est nulle et non avenue."),
    ("board-over", "The game is over.", "La partie est terminée."),
    ("board-playing", "The others are to move.", "Aux autres de jouer."),
    ("board-put-up", "Play", "Jouer"),
    ("board-seat", "on seat", "à la place"),
    ("board-sit", "Sit down and play", "Prendre place et jouer"),
    ("board-title", "Play at the board", "Jouer au plateau"),
    ("board-turn", "Your move:", "À vous de jouer :"),
    ("board-waiting", "The program plays other games. Yours is the next one.", "Le programme joue d’autres parties. La vôtre est la prochaine."),
    ("bot", "A bot in five lines", "Un bot en cinq lignes"),
    ("bot-note", "It plays at random. More about the lines: docs/protocol.md of the project.", "Il joue au hasard. Plus de détails sur les lignes : docs/protocol.md du projet."),
    ("by-referee", "With the referee in place of Python", "Avec l’arbitre à la place de Python"),
    ("change", "Change", "Modifier"),
    ("class", "The class", "La classe"),
    ("class-open", "in test", "en test"),
    ("class-ready", "programs take part", "programmes participent"),
    ("class-without", "Without a program that passed:", "Sans programme accepté :"),
    ("class-zip", "Download these programs as a folder for referee tournament", "Télécharger ces programmes comme dossier pour referee tournament"),
    ("closed", "closed to those without a link", "fermées à ceux qui n’ont pas de lien"),
    ("closed-page", "This room is open to people with a link only. Ask your teacher for yours.", "Cette salle n’est ouverte qu’aux personnes qui ont un lien. Demandez le vôtre à votre enseignant."),
    ("closes", "Server", "Serveur"),
    ("confirm-delete", "Delete for ever", "Supprimer définitivement"),
    ("connect", "Connect your program", "Connecter votre programme"),
    ("connected", "Connected:", "Connecté :"),
    ("contest", "Contest", "Concours"),
    ("contest-points", "Points", "Points"),
    ("contest-points-note", "Points: the mean over all problems of 100 times the square of the share of the best score.", "Points : la moyenne, sur tous les problèmes, de 100 fois le carré de la part du meilleur score."),
    ("csv", "As CSV", "En CSV"),
    ("days", "days", "jours"),
    ("deadline", "Deadline", "Date limite"),
    ("deadline-note", "No upload is taken afterwards. Empty: no deadline.", "Aucun dépôt n’est accepté ensuite. Vide : pas de date limite."),
    ("deadline-over", "Uploads are closed since", "Les dépôts sont fermés depuis le"),
    ("deadline-until", "Uploads until", "Dépôts jusqu’au"),
    ("delete", "Delete", "Supprimer"),
    ("delete-note", "The name and the link go; the games stay under a number.", "Le nom et le lien disparaissent ; les parties restent sous un numéro."),
    ("disable", "Disable", "Désactiver"),
    ("disabled", "disabled", "désactivé"),
    ("disk", "free on the disk", "libres sur le disque"),
    ("draw", "draw", "nulle"),
    ("elo", "Elo", "Elo"),
    ("enable", "Enable", "Réactiver"),
    ("enter", "Another link", "Un autre lien"),
    ("enter-note", "This browser is logged in already. The link is that of", "Ce navigateur est déjà connecté. Le lien est celui de"),
    ("enter-now", "Log in with it", "Se connecter avec"),
    ("error", "This does not work", "Cela ne marche pas"),
    ("error-absent", "One of the players is not here.", "L’un des joueurs n’est pas là."),
    ("error-at-board", "You play at another board. End that game first.", "Vous jouez à un autre plateau. Terminez d’abord cette partie."),
    ("error-boards", "All boards are taken. Try again in a few minutes.", "Tous les plateaux sont pris. Réessayez dans quelques minutes."),
    ("error-busy", "The server is busy. Load the page again.", "Le serveur est occupé. Rechargez la page."),
    ("error-copy", "There is no copy:", "Il n’y a pas de copie :"),
    ("error-files", "This cannot be used:", "Ceci ne peut pas être utilisé :"),
    ("error-form", "The server cannot read this form: it is too large, or not one of its own.", "Le serveur ne peut pas lire ce formulaire : il est trop grand, ou n’est pas le sien."),
    ("error-frozen", "The deadline is over: no upload is taken.", "La date limite est passée : les dépôts sont fermés."),
    ("error-full", "The room is full: it has at most 2,000 people.", "La salle est pleine : elle a au plus 2 000 personnes."),
    ("error-has-one", "You are already waiting for a game.", "Vous attendez déjà une partie."),
    ("error-large", "This is too large. The most is", "C’est trop gros. Le maximum est"),
    ("error-limit", "Too many requests from your address. Wait a few seconds.", "Trop de requêtes depuis votre adresse. Attendez quelques secondes."),
    ("error-link", "This link leads nowhere. It may have been replaced: ask for a new one.", "Ce lien ne mène nulle part. Il a peut-être été remplacé : demandez-en un nouveau."),
    ("error-login", "This page is for people with a link.", "Cette page est réservée aux personnes qui ont un lien."),
    ("error-marks", "Marks are for the teacher, and each one for its person: open your link.", "Les notes sont réservées à l’enseignant, et chacune à sa personne : ouvrez votre lien."),
    ("error-missing", "There is no such page.", "Cette page n’existe pas."),
    ("error-name", "Expected a name of 1 to 40 letters that begins neither with person- nor with board-, got", "Attendu un nom de 1 à 40 lettres qui ne commence ni par person- ni par board-, reçu"),
    ("error-names", "Expected names, one per line, got none.", "Attendu des noms, un par ligne ; reçu aucun."),
    ("error-names-of", "Finals have names. They are for people with a link.", "Les finales ont des noms. Elles sont réservées aux personnes qui ont un lien."),
    ("error-no-board", "There is no such board, or its game has begun.", "Ce plateau n’existe pas, ou sa partie a commencé."),
    ("error-no-file", "Choose a file first.", "Choisissez d’abord un fichier."),
    ("error-number", "Choose another player for each seat of the table.", "Choisissez autant de joueurs différents que la table a de places."),
    ("error-origin", "The form did not come from this page. Load the page again.", "Le formulaire ne vient pas de cette page. Rechargez la page."),
    ("error-paused", "The room is paused.", "La salle est en pause."),
    ("error-person", "There is no such person.", "Cette personne n’existe pas."),
    ("error-solutions", "Your last solutions are still being scored. Wait for their answer.", "Vos dernières solutions sont encore en cours d’évaluation. Attendez leur réponse."),
    ("error-store", "The disk of the server refuses to write:", "Le disque du serveur refuse d’écrire :"),
    ("error-taken", "This name is taken:", "Ce nom est pris :"),
    ("error-teacher", "This page is for the teacher.", "Cette page est réservée à l’enseignant."),
    ("error-team", "This address is that of another person. Yours has the number", "Cette adresse est celle d’une autre personne. La vôtre a le numéro"),
    ("error-uploads", "Too many uploads. Wait a minute.", "Trop de dépôts. Attendez une minute."),
    ("faults", "Faults", "Fautes"),
    ("faults-none", "none so far", "aucune pour l’instant"),
    ("final", "Final", "Finale"),
    ("final-delete-note", "Its games, pages and marks are gone for ever.", "Ses parties, ses pages et ses notes disparaissent définitivement."),
    ("final-ended", "ended", "terminée"),
    ("final-excel", "CSV for Excel with French settings", "CSV pour Excel en français"),
    ("final-failed", "It cannot be played:", "Elle ne peut pas être jouée :"),
    ("final-games", "Games (per meeting; per player if balanced; in all if a ladder)", "Parties (par rencontre ; par joueur si balanced ; en tout si ladder)"),
    ("final-link", "Deadline, class, final and marks", "Date limite, classe, finale et notes"),
    ("final-mine", "The page of my player", "La page de mon joueur"),
    ("final-new", "A new final", "Une nouvelle finale"),
    ("final-note", "It is played between the newest uploads that passed. Meanwhile the ladder is paused.", "Elle se joue entre les dépôts acceptés les plus récents. Le classement est en pause pendant ce temps."),
    ("final-now", "A final is being played. The ladder goes on afterwards.", "Une finale est en cours. Le classement reprend ensuite."),
    ("final-pages", "Pages of all players", "Pages de tous les joueurs"),
    ("final-points", "Points for marks", "Points pour les notes"),
    ("final-points-note", "For the format graded: the bots that programs are marked by, and the points of each.", "Pour le format graded : les bots qui servent à noter, et les points de chacun."),
    ("final-resume", "Go on", "Continuer"),
    ("final-rounds", "Rounds (Swiss)", "Rondes (suisse)"),
    ("final-running", "is being played", "en cours"),
    ("final-standings", "Standings and all games", "Classement et toutes les parties"),
    ("final-start", "Start the final", "Lancer la finale"),
    ("final-stop", "Stop the final", "Arrêter la finale"),
    ("final-stopped", "stopped", "arrêtée"),
    ("final-wall", "On the projector", "Au projecteur"),
    ("finals", "Finals", "Finales"),
    ("format", "Format", "Format"),
    ("game", "Game", "Partie"),
    ("game-word", "game", "partie"),
    ("games", "Games", "Parties"),
    ("games-word", "games", "parties"),
    ("get-client", "Download join.py", "Télécharger join.py"),
    ("get-client-note", "It has your link inside. Put it beside your program.", "Il contient votre lien. Placez-le à côté de votre programme."),
    ("given-up", "set aside", "mis de côté"),
    ("house", "house bot", "bot de la maison"),
    ("in-person", "at the board", "au plateau"),
    ("is-live", "live", "en direct"),
    ("language", "Français", "English"),
    ("last-games", "Last results", "Derniers résultats"),
    ("leaderboard", "Leaderboard", "Classement"),
    ("leave", "Log out on this device", "Se déconnecter de cet appareil"),
    ("limits", "Limits of players", "Limites des joueurs"),
    ("link-note", "Scan the code, or type the address.", "Scannez le code, ou tapez l’adresse."),
    ("load", "load", "charge"),
    ("machine", "Machine", "Machine"),
    ("mark", "mark of 20", "note sur 20"),
    ("me", "My page", "Ma page"),
    ("memory", "memory of the server", "mémoire du serveur"),
    ("message", "Message to all", "Message à tous"),
    ("name", "Name", "Nom"),
    ("names", "open, with names", "ouvertes, avec les noms"),
    ("names-lines", "One name per line", "Un nom par ligne"),
    ("new-link", "New link", "Nouveau lien"),
    ("new-link-note", "The link before leads nowhere from now on, on any device.", "Le lien précédent ne mène plus nulle part, sur aucun appareil."),
    ("new-teacher-link", "Replace the teacher’s link", "Remplacer le lien de l’enseignant"),
    ("no-game", "no game yet", "pas encore de partie"),
    ("no-player", "no program yet", "pas encore de programme"),
    ("no-uploads", "Programs cannot be uploaded to this machine:", "On ne peut pas déposer de programme sur cette machine :"),
    ("not-connected", "No program of yours is connected.", "Aucun de vos programmes n’est connecté."),
    ("number", "no.", "nº"),
    ("numbers", "open, with numbers in place of names", "ouvertes, avec des numéros au lieu des noms"),
    ("openness", "Pages for those without a link", "Pages pour ceux qui n’ont pas de lien"),
    ("over-games", "games of the room", "parties de la salle"),
    ("own-best", "your best", "votre meilleure"),
    ("own-link", "Your link logs in on several devices. Do not pass it on.", "Votre lien fonctionne sur plusieurs appareils. Ne le transmettez pas."),
    ("own-machine", "own machine", "machine personnelle"),
    ("own-program", "my program", "mon programme"),
    ("own-score", "Mine", "Moi"),
    ("pause", "Pause the room", "Mettre la salle en pause"),
    ("paused", "paused", "en pause"),
    ("paused-note", "The room is paused: running games end, and no new ones begin.", "La salle est en pause : les parties en cours se terminent, aucune autre ne commence."),
    ("people", "People", "Personnes"),
    ("play-against", "Play against", "Jouer contre"),
    ("player", "Player", "Joueur"),
    ("player-word", "player", "joueur"),
    ("players-word", "players", "joueurs"),
    ("points", "points", "points"),
    ("print", "Print the slips", "Imprimer les billets"),
    ("problem", "Problem", "Problème"),
    ("problem-text", "Download the problem", "Télécharger le problème"),
    ("problems", "Problems", "Problèmes"),
    ("projector", "Projector", "Projecteur"),
    ("protocol", "Protocol", "Protocole"),
    ("protocol-note", "The referee writes lines, and the bot answers. A whole game of a bot:", "L’arbitre écrit des lignes, et le bot répond. Une partie entière d’un bot :"),
    ("queue", "Queue", "File d’attente"),
    ("rank", "Rank", "Rang"),
    ("rating-time", "Rating over time", "Évolution du classement"),
    ("rename", "Rename", "Renommer"),
    ("resume", "Go on", "Reprendre"),
    ("room", "Room", "Salle"),
    ("room-away", "has ended", "est arrêtée"),
    ("rooms", "Rooms", "Salles"),
    ("round-trip", "round trip", "aller-retour"),
    ("rules", "Rules", "Règles"),
    ("running", "Running games", "Parties en cours"),
    ("running-word", "running", "en cours"),
    ("save", "Save", "Enregistrer"),
    ("score", "Score", "Score"),
    ("seed", "Seed", "Graine"),
    ("seeds", "Seeds", "Graines"),
    ("send", "Send", "Envoyer"),
    ("set-up", "Rules of this room", "Règles de cette salle"),
    ("share", "Points, %", "Points, %"),
    ("skip", "Skip to the content", "Aller au contenu"),
    ("slips", "Links of people", "Liens des personnes"),
    ("slips-note", "Each link is shown this once. It is kept for ten minutes, to print it and to save it.", "Chaque lien n’est montré que cette fois. Il est gardé dix minutes, pour l’imprimer et l’enregistrer."),
    ("solutions", "Solutions", "Solutions"),
    ("solutions-none", "no solution yet", "pas encore de solution"),
    ("solutions-note", "A file, or pasted text, in the form of the ICFP contest of 2015. Each solution is scored at once; your best one for each seed counts.", "Un fichier, ou un texte collé, sous la forme du concours ICFP 2015. Chaque solution est évaluée aussitôt ; votre meilleure pour chaque graine compte."),
    ("solutions-send", "Send solutions", "Envoyer des solutions"),
    ("solved", "Solved, total", "Résolus, total"),
    ("standings", "Standings", "Classement"),
    ("start-client", "In a terminal in that folder:", "Dans un terminal, dans ce dossier :"),
    ("start-client-note", "The program runs on your machine, and plays until you stop it with Ctrl-C. When its file changes, the new version plays.", "Le programme tourne sur votre machine, et joue jusqu’à ce que vous l’arrêtiez avec Ctrl-C. Quand son fichier change, la nouvelle version joue."),
    ("state", "State", "Lignes d’état"),
    ("streams", "browsers with a live page", "navigateurs avec une page en direct"),
    ("teacher", "Teacher", "Enseignant"),
    ("title", "Title", "Titre"),
    ("total", "Total", "Total"),
    ("trouble", "A game could not be stored, so the room is paused:", "Une partie n’a pas pu être enregistrée, la salle est donc en pause :"),
    ("upload", "Upload", "Dépôt"),
    ("upload-again", "Back to my page", "Retour à ma page"),
    ("upload-curl", "From a terminal", "Depuis un terminal"),
    ("upload-do", "Upload", "Déposer"),
    ("upload-ending", "Ending of its file", "Extension du fichier"),
    ("upload-failed", "Not accepted", "Refusé"),
    ("upload-failed-note", "The lines below say what to change. An earlier version goes on playing.", "Les lignes ci-dessous disent quoi changer. Une version précédente continue de jouer."),
    ("upload-next", "Waits", "En attente"),
    ("upload-note", "One source file, several files, or a zip file. It is built and tested here, then it plays on the ladder, also while your machine is off.", "Un fichier source, plusieurs fichiers ou une archive zip. Le programme est compilé et testé ici, puis il joue au classement, même quand votre machine est éteinte."),
    ("upload-passed", "Passed; a newer one plays", "Accepté ; un plus récent joue"),
    ("upload-paste", "Paste the text", "Coller le texte"),
    ("upload-plays", "Passed: it plays", "Accepté : il joue"),
    ("upload-replaced", "Not tested: a newer one came", "Non testé : un plus récent est arrivé"),
    ("upload-tested", "Being built and tested", "Compilation et test en cours"),
    ("upload-title", "Upload a program", "Déposer un programme"),
    ("upload-waits", "Waits; uploads before it:", "En attente ; dépôts avant celui-ci :"),
    ("uploaded", "uploaded", "déposé"),
    ("uploads-zip", "Download all uploads", "Télécharger tous les dépôts"),
    ("version", "version", "version"),
    ("versions", "Versions", "Versions"),
    ("waiting", "waiting for a table", "en attente d’une table"),
    ("watch", "Watch", "Regarder"),
    ("welcome", "Welcome", "Bienvenue"),
    ("worksheet", "Grades for Moodle", "Notes pour Moodle"),
    ("worksheet-do", "Fill it", "Remplir"),
    ("worksheet-note", "Download the grading worksheet of the assignment in Moodle, and choose it here. It comes back with the marks, found by full name; upload it to Moodle.", "Téléchargez la feuille d’évaluation du devoir dans Moodle et choisissez-la ici. Elle revient avec les notes, trouvées par le nom complet ; déposez-la dans Moodle."),
    ("you", "you", "vous"),
    ("zone", "Time zone", "Fuseau horaire"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// Returns the keys that templates and modules name.
    fn named() -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        for folder in ["templates", ".", "routes", "views"] {
            let entries = fs::read_dir(root.join(folder)).unwrap().flatten();
            files.extend(entries.map(|entry| entry.path()).filter(|path| {
                let ending = path.extension().unwrap_or_default();
                ending == "html" || ending == "rs" && !path.ends_with("words.rs")
            }));
        }
        let mut keys = BTreeSet::new();
        for file in files {
            let text = fs::read_to_string(file).unwrap();
            for start in [".w(\"", "Wrong::of(\"", "Wrong::about(\""] {
                let parts = text.split(start).skip(1);
                keys.extend(parts.filter_map(|part| part.split('"').next().map(str::to_owned)));
            }
            for part in text.split(".count(").skip(1) {
                let words = part.split(')').next().unwrap_or_default();
                keys.extend(words.split('"').skip(1).step_by(2).map(str::to_owned));
            }
        }
        keys
    }

    #[test]
    fn table_has_exactly_the_words_that_are_used() {
        let known: BTreeSet<String> = TABLE.iter().map(|(key, ..)| (*key).to_owned()).collect();
        assert_eq!(known.len(), TABLE.len(), "a key occurs twice");
        let named = named();
        let missing: Vec<&String> = named.difference(&known).collect();
        let unused: Vec<&String> = known.difference(&named).collect();
        assert!(missing.is_empty() && unused.is_empty(), "missing {missing:?}, unused {unused:?}");
        assert!(TABLE.is_sorted_by_key(|(key, ..)| *key), "the table is in the order of its keys");
        for (key, english, french) in TABLE {
            assert!(!english.trim().is_empty() && !french.trim().is_empty(), "{key}");
        }
    }

    #[test]
    fn browser_gets_the_first_language_that_there_is() {
        for (header, language) in [
            ("", Language::English),
            ("fr-FR,fr;q=0.9,en;q=0.8", Language::French),
            ("de, en-GB;q=0.8, fr;q=0.7", Language::English),
            ("FR", Language::French),
            ("é", Language::English),
            ("*", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
        assert_eq!(Language::French.count(0, "game-word", "games-word"), "0 partie");
        assert_eq!(Language::English.count(0, "game-word", "games-word"), "0 games");
        assert_eq!(Language::French.decimal(12.34), "12,3");
    }
}
