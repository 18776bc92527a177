//! Leaderboard of a contest: places by the formula of the final round of 2015.

/// Place of a person.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Rank, which equal points share.
    pub rank: usize,
    /// Number of the person.
    pub person: i64,
    /// Mean over all problems: a hundred times the square of the share of the best score, rounded.
    pub points: f64,
    /// Sum of the scores.
    pub total: i64,
    /// Score of each problem.
    pub scores: Vec<Option<i64>>,
}

/// Places of all who have a solution, the first one first.
pub struct Leaderboard {
    /// Places.
    pub places: Vec<Place>,
    /// Best score of each problem.
    pub best: Vec<Option<i64>>,
}

impl Leaderboard {
    /// Ranks people by their scores of all problems.
    pub fn new(scores: Vec<(i64, Vec<Option<i64>>)>, lower_is_better: bool) -> Leaderboard {
        let problems = scores.first().map_or(0, |(_, scores)| scores.len());
        let of_problem = |at: usize| scores.iter().filter_map(move |(_, scores)| scores[at]);
        let best = |at| if lower_is_better { of_problem(at).min() } else { of_problem(at).max() };
        let best: Vec<Option<i64>> = (0..problems).map(best).collect();
        let place = |(person, scores): &(i64, Vec<Option<i64>>)| {
            let both = scores.iter().zip(&best);
            let points =
                both.filter_map(|(score, best)| Some(points(*score, (*best)?, lower_is_better)));
            let points = points.sum::<f64>() / problems.max(1) as f64;
            let total = scores.iter().flatten().sum();
            Place { rank: 0, person: *person, points, total, scores: scores.clone() }
        };
        let mut places: Vec<Place> = scores.iter().map(place).collect();
        places.sort_by(|a, b| b.points.total_cmp(&a.points));
        let ranks: Vec<usize> = places
            .iter()
            .map(|place| 1 + places.iter().filter(|other| other.points > place.points).count())
            .collect();
        places.iter_mut().zip(ranks).for_each(|(place, rank)| place.rank = rank);
        Leaderboard { places, best }
    }
}

/// Returns the points of a score: a hundred for the best one, unless that is no more than nothing.
fn points(score: Option<i64>, best: i64, lower_is_better: bool) -> f64 {
    let Some(score) = score else { return 0.0 };
    match score == best {
        true if best > 0 || lower_is_better => 100.0,
        true => 0.0,
        false => {
            let (small, large) = (score.min(best), score.max(best));
            (100.0 * (small as f64 / large as f64).max(0.0).powi(2)).round()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(scores: &[&[Option<i64>]], lower_is_better: bool) -> Vec<(usize, i64, f64)> {
        let scores = (1..).zip(scores.iter().map(|scores| scores.to_vec())).collect();
        let places = Leaderboard::new(scores, lower_is_better).places.into_iter();
        places.map(|place| (place.rank, place.person, place.points)).collect()
    }

    /// The final round of 2015: four variants of eight problems or so, each a problem here.
    #[test]
    fn winner_of_2015_has_the_published_points() {
        let Some(data) = std::env::var_os("ARBITRE_DATA") else {
            eprintln!("SKIPPED: ARBITRE_DATA does not lead to the final round of 2015");
            return;
        };
        let path = std::path::Path::new(&data).join("icfp2015/final_round_leaderboard.csv");
        let text = std::fs::read_to_string(path).unwrap();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let mut settings: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], row[1])).collect();
        settings.dedup();
        let mut teams: Vec<i64> =
            rows.iter().map(|row| row[row.len() - 2].parse().unwrap()).collect();
        teams.sort_unstable();
        teams.dedup();
        let score = |team: i64, setting: &(&str, &str)| {
            let is_it = |row: &&Vec<&str>| {
                (row[0], row[1]) == *setting && row[row.len() - 2] == team.to_string()
            };
            rows.iter().find(is_it).map(|row| row[3].parse::<i64>().unwrap())
        };
        let scores = teams
            .iter()
            .map(|&team| (team, settings.iter().map(|of| score(team, of)).collect()))
            .collect();
        let places = Leaderboard::new(scores, false).places;
        // Unagi, number 45, with 78.3 of 100.
        assert_eq!((places[0].person, format!("{:.1}", places[0].points)), (45, "78.3".into()));
    }

    #[test]
    fn places_follow_the_squares_of_shares() {
        let scores: &[&[_]] =
            &[&[Some(50), Some(10)], &[Some(100), None], &[Some(70), Some(10)], &[None, None]];
        // By hand: (25 + 100) / 2, (100 + 0) / 2, (49 + 100) / 2, 0.
        let expected = [(1, 3, 74.5), (2, 1, 62.5), (3, 2, 50.0), (4, 4, 0.0)];
        assert_eq!(ranks(scores, false), expected);
        let moves: &[&[_]] = &[&[Some(50)], &[Some(40)], &[Some(40)]];
        assert_eq!(ranks(moves, true), [(1, 2, 100.0), (1, 3, 100.0), (3, 1, 64.0)]);
        assert_eq!(ranks(&[&[Some(0)], &[None]], false), [(1, 1, 0.0), (1, 2, 0.0)]);
        assert_eq!(ranks(&[&[Some(0)], &[Some(2)]], true), [(1, 1, 100.0), (2, 2, 0.0)]);
        assert_eq!(ranks(&[], false), []);
    }
}
