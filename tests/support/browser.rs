//! Headless Chromium, driven by its DevTools protocol over a pipe.

use serde_json::{json, Value};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Limit of each wait, for an answer of Chromium or for a change of the page.
const DEADLINE: Duration = Duration::from_secs(30);
/// Time between two looks at the page or at the process. Not tuned.
const PAUSE: Duration = Duration::from_millis(1);
/// Time for which a button of the mouse is held, as by a person. Not tuned.
const CLICK: Duration = Duration::from_millis(60);

/// Script that starts Chromium. The protocol uses descriptors 3 and 4, and Chromium's own sandbox
/// refuses the superuser.
const START: &str = r#"
[ "$(id -u)" != 0 ] || set -- --no-sandbox "$@"
exec chromium "$@" 3<&0 4>&1 < /dev/null > "$0" 2>&1
"#;

/// Browser that shows one page.
pub struct Browser {
    child: Child,
    /// Input of Chromium; `None` once it is closed.
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    profile: PathBuf,
    /// Output of Chromium, for the search for its mistakes.
    log: PathBuf,
    /// Session of the page; empty before it is attached.
    session: String,
    calls: u64,
    /// Address of the file that was opened last.
    address: String,
    /// Start of the addresses of a server that pages may ask.
    origin: Option<String>,
    problems: Vec<String>,
}

impl Browser {
    /// Starts Chromium with an empty profile beside `folder`. Returns `None` where it is not
    /// installed.
    pub fn open(folder: &Path) -> Option<Browser> {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&paths).any(|path| path.join("chromium").is_file()) {
            // Past the output capture, so that it shows although the test passes.
            let _ = writeln!(std::io::stderr(), "SKIPPED: there is no chromium in PATH");
            return None;
        }
        // The files in the folder may be those of a bot, which must not change during a match.
        let name = folder.file_name().expect("a folder has a name").to_string_lossy();
        let [profile, log] =
            ["", ".log"].map(|end| folder.with_file_name(format!("chromium {name}{end}")));
        let _ = fs::remove_dir_all(&profile);
        let mut command = Command::new("sh");
        command.args(["-c", START]).arg(&log).args(["--headless", "--remote-debugging-pipe"]);
        command.args(["--disable-gpu", "--no-first-run"]);
        command.arg(format!("--user-data-dir={}", profile.display())).arg("about:blank");
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.expect("a shell can be started");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let texts = BufReader::new(output).split(0).map_while(Result::ok);
            let messages = texts.map(|text| serde_json::from_slice(&text).expect("it is JSON"));
            messages.map_while(|message| sender.send(message).ok()).count()
        });
        let (session, address, calls, problems) = (String::new(), String::new(), 0, Vec::new());
        let mut browser = Browser {
            child,
            input,
            messages,
            profile,
            log,
            session,
            calls,
            address,
            origin: None,
            problems,
        };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", target);
        browser.session = attached["sessionId"].as_str().expect("a session has a name").into();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a message. Returns its number.
    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let sent = self.input.as_mut().map(|input| write!(input, "{message}\0"));
        assert!(sent.is_some_and(|sent| sent.is_ok()), "{method}: {}", self.failure("it ended"));
        self.calls
    }

    /// Calls a method and returns the result, or the reason why Chromium refused.
    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        let until = Instant::now() + DEADLINE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut message = match self.messages.recv_timeout(left) {
                Ok(message) => message,
                Err(error) => panic!("{method}: {}", self.failure(&error.to_string())),
            };
            if message["id"] != id {
                self.note(&message);
            } else if let Some(error) = message.get("error") {
                return Err(error.to_string());
            } else {
                return Ok(message["result"].take());
            }
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        let result = self.try_call(method, params);
        result.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn failure(&self, why: &str) -> String {
        format!("expected an answer of Chromium, {why}: see {}", self.log.display())
    }

    /// Keeps an event that no page of the project may cause.
    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        let problem = match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => params["exceptionDetails"].to_string(),
            "Runtime.consoleAPICalled" => params["args"].to_string(),
            // Violations of the policy are among the entries.
            "Log.entryAdded" => params["entry"].to_string(),
            "Network.requestWillBeSent" => {
                let address = params["request"]["url"].as_str().unwrap_or_default();
                let is_of_server =
                    self.origin.as_ref().is_some_and(|origin| address.starts_with(origin));
                if is_of_server || address == self.address || address.starts_with("data:") {
                    return;
                }
                format!("request of {address}")
            }
            "Page.javascriptDialogOpening" => {
                // The page waits for the end of the dialog.
                self.send("Page.handleJavaScriptDialog", json!({"accept": true}));
                format!("dialog {params}")
            }
            _ => return,
        };
        self.problems.push(problem);
    }

    /// Returns the exceptions, messages of the console, violations of the policy, dialogs and
    /// requests since the last call.
    pub fn problems(&mut self) -> Vec<String> {
        // Events that came before this answer are noted first.
        self.evaluate("0");
        std::mem::take(&mut self.problems)
    }

    /// Runs a script before those of each page that is opened from now on.
    pub fn run_first(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// Opens a file anew, at an address within it, and waits for the end of its script.
    pub fn visit(&mut self, file: &Path, at: &str) {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        let bytes = file.to_str().expect("the path of a test is text").bytes();
        let encoded = bytes.map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        });
        self.address = format!("file://{}", encoded.collect::<String>());
        // The same file would not be loaded again.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        let opened = self.call("Page.navigate", json!({"url": format!("{}#{at}", self.address)}));
        assert!(opened.get("errorText").is_none(), "{opened}");
        self.wait_for("document.documentElement.dataset.ready");
    }

    /// Opens a page of a server, with what it asks for of that server.
    pub fn visit_server(&mut self, address: &str) {
        self.origin = Some(address.split('/').take(3).collect::<Vec<_>>().join("/"));
        let opened = self.call("Page.navigate", json!({ "url": address }));
        assert!(opened.get("errorText").is_none(), "{opened}");
        self.wait_for("document.readyState === 'complete'");
    }

    /// Returns the value of a JavaScript expression, or the reason why there is none.
    fn try_evaluate(&mut self, code: &str) -> Result<Value, String> {
        let params = json!({"expression": code, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.try_call("Runtime.evaluate", params)?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(details.to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Returns the value of a JavaScript expression.
    #[track_caller]
    pub fn evaluate(&mut self, code: &str) -> Value {
        self.try_evaluate(code).unwrap_or_else(|error| panic!("{code}: {error}"))
    }

    /// Waits until a JavaScript expression is true. The page may be loaded again meanwhile.
    #[track_caller]
    pub fn wait_for(&mut self, code: &str) {
        let until = Instant::now() + DEADLINE;
        loop {
            let value = self.try_evaluate(&format!("Boolean({code})"));
            if value == Ok(Value::Bool(true)) {
                return;
            }
            if Instant::now() >= until {
                let problems = self.problems();
                panic!("expected {code} within {DEADLINE:?}, got {value:?}: {problems:#?}");
            }
            thread::sleep(PAUSE);
        }
    }

    /// Sets the size of the view in pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sets the preferred colours: `light` or `dark`.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Prefers pages without motion.
    pub fn reduce_motion(&mut self) {
        let features = json!([{"name": "prefers-reduced-motion", "value": "reduce"}]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Presses and releases a key, by its name in JavaScript.
    pub fn press(&mut self, key: &str) {
        let mut params = json!({"type": "keyDown", "key": key});
        if key.chars().count() == 1 {
            params["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", params);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}));
    }

    /// Clicks a point of an element, given in shares of its width and height.
    pub fn click_at(&mut self, selector: &str, across: f64, down: f64) {
        let point = self.evaluate(&format!(
            "(() => {{
                const element = document.querySelector({selector:?});
                element.scrollIntoView({{ block: 'center' }});
                const {{ left, top, width, height }} = element.getBoundingClientRect();
                return {{ x: left + width * {across}, y: top + height * {down} }};
            }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let mut click = json!({"type": kind, "button": "left", "clickCount": 1});
            (click["x"], click["y"]) = (point["x"].clone(), point["y"].clone());
            self.call("Input.dispatchMouseEvent", click);
            thread::sleep(CLICK);
        }
    }

    /// Clicks the middle of an element.
    pub fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5, 0.5);
    }

    /// Returns a picture of the whole page, as a PNG file in base64.
    pub fn screenshot(&mut self) -> String {
        // Without a clip the width lacks that of a bar, which the picture does not have.
        let mut clip = self.evaluate(
            "({ x: 0, y: 0, width: innerWidth, height: document.documentElement.scrollHeight })",
        );
        clip["scale"] = json!(1);
        let params = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        let picture = self.call("Page.captureScreenshot", params);
        picture["data"].as_str().expect("a picture is text").into()
    }
}

impl Drop for Browser {
    /// Ends Chromium and removes its profile.
    fn drop(&mut self) {
        // Chromium ends once nothing can be sent to it.
        self.input = None;
        let until = Instant::now() + DEADLINE;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(PAUSE);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Children of Chromium may still write for a moment.
        while fs::remove_dir_all(&self.profile).is_err() && self.profile.exists() {
            if Instant::now() > until {
                break;
            }
            thread::sleep(PAUSE);
        }
    }
}
