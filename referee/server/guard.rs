//! Limits and checks of all requests.

use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

/// Requests of an address in a second, on average. A class behind one address has thirty browsers,
/// each with a page and three files at a time. Not tuned.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(200).unwrap();
/// Requests that an address may send at once. Not tuned.
const AT_ONCE: NonZeroU32 = NonZeroU32::new(1000).unwrap();
/// Tokens that an address may try in a minute, on average, and at once. 128 bits are not guessed;
/// this keeps the log and the processor from those who try. Not tuned.
const TRIES: NonZeroU32 = NonZeroU32::new(60).unwrap();
/// Changes of an address in a second, on average, and at once: forms write to the disk. Not tuned.
const CHANGES: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// Address of the other end of a connection.
#[derive(Clone, Copy)]
pub struct Peer(pub SocketAddr);

type Keyed = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>;

/// Limits on requests by the address of the client.
pub struct Limiter {
    requests: Keyed,
    tries: Keyed,
    changes: Keyed,
}

impl Default for Limiter {
    fn default() -> Limiter {
        Limiter {
            requests: Keyed::keyed(Quota::per_second(PER_SECOND).allow_burst(AT_ONCE)),
            tries: Keyed::keyed(Quota::per_minute(TRIES)),
            changes: Keyed::keyed(Quota::per_second(CHANGES).allow_burst(TRIES)),
        }
    }
}

impl Limiter {
    /// Returns `true` if an address may send a request, and a form if it is one.
    pub fn allows(&self, address: IpAddr, is_change: bool) -> bool {
        let key = network_of(address);
        self.requests.check_key(&key).is_ok()
            && (!is_change || self.changes.check_key(&key).is_ok())
    }

    /// Returns `true` if an address may try a token.
    pub fn allows_try(&self, address: IpAddr) -> bool {
        self.tries.check_key(&network_of(address)).is_ok()
    }

    /// Forgets addresses that have been quiet.
    pub fn tidy(&self) {
        for keyed in [&self.requests, &self.tries, &self.changes] {
            keyed.retain_recent();
            keyed.shrink_to_fit();
        }
    }
}

/// Returns the part of an address that one client cannot change: of the sixth version it has 2^64.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        four => four,
    }
}

/// Returns `true` if a form was sent by a page of this server, as far as the browser says: by its
/// origin, or by the header that says where it comes from.
pub fn is_own(origin: Option<&str>, site: Option<&str>, host: Option<&str>) -> bool {
    if let Some(origin) = origin {
        let sent = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
        return sent.is_some() && sent == host;
    }
    site.is_none_or(|site| matches!(site, "same-origin" | "none"))
}

/// Returns the value of a cookie; `None` if the browser sent none of this name, or several. A site
/// beside this one can add one of the same name, and the two cannot be told apart.
pub fn cookie<'a>(headers: impl Iterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let pairs = headers.flat_map(|header| header.split(';'));
    let named = pairs.filter_map(|pair| pair.trim().split_once('=')).filter(|(of, _)| *of == name);
    let mut values = named.map(|(_, value)| value);
    values.next().filter(|_| values.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_come_from_this_server() {
        let host = Some("room.example:8000");
        for (origin, site, own) in [
            (Some("http://room.example:8000"), None, true),
            (Some("https://room.example:8000"), Some("same-origin"), true),
            (Some("http://evil.example"), Some("same-origin"), false),
            (Some("http://room.example:9000"), None, false),
            (Some("null"), None, false),
            (None, Some("cross-site"), false),
            (None, Some("same-site"), false),
            (None, Some("none"), true),
            (None, None, true),
        ] {
            assert_eq!(is_own(origin, site, host), own, "{origin:?} {site:?}");
        }
    }

    #[test]
    fn doubtful_cookie_is_none() {
        for (headers, value) in [
            (&["a=1; room=x"][..], Some("x")),
            (&["room=x; room=y"], None),
            (&["room=x", "room=y"], None),
            (&["roomy=x; ro=y"], None),
            (&[], None),
        ] {
            assert_eq!(cookie(headers.iter().copied(), "room"), value, "{headers:?}");
        }
    }

    #[test]
    fn address_is_limited_and_others_are_not() {
        let limiter = Limiter::default();
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
        let allowed = (0..2000).filter(|_| limiter.allows(one, false)).count();
        assert!((1000..2000).contains(&allowed), "{allowed}");
        assert!(limiter.allows(other, false) && !limiter.allows(one, false));
        let tried = (0..100).filter(|_| limiter.allows_try(other)).count();
        assert!((60..100).contains(&tried), "{tried}");
        // Clients of one network of the sixth version share a limit.
        let six = |last: u16| Ipv6Addr::new(1, 2, 3, 4, 0, 0, 0, last).into();
        assert!((0..3000u16).filter(|last| limiter.allows(six(*last), false)).count() < 2000);
        limiter.tidy();
        assert!(!limiter.allows(one, false) || limiter.allows(other, true));
    }
}
