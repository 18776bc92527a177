import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A referee program for cg-brutaltester's new mode in the language of most of them: players take one
 * to three of some stones in turn, and the taker of the last one wins. Written for tests.
 */
class Countdown {
    public static void main(String[] arguments) throws IOException {
        List<Process> players = new ArrayList<>();
        long seed = 0;
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            String value = arguments[at + 1];
            if (arguments[at].startsWith("-p")) {
                players.add(new ProcessBuilder(value.split(" ")).start());
            } else if (arguments[at].equals("-d")) {
                seed = Long.parseLong(value.substring(value.indexOf('=') + 1));
            }
        }
        if (players.isEmpty()) {
            System.err.println("Missing required option: p1");
            System.exit(1);
        }
        List<BufferedReader> answers = new ArrayList<>();
        for (Process player : players) {
            answers.add(new BufferedReader(new InputStreamReader(player.getInputStream())));
        }
        int stones = 10 + new Random(seed).nextInt(10), turn = 0;
        double work = 0;
        for (; stones > 0; turn++) {
            // A turn that takes a while to compute.
            for (int i = 0; i < 1_000_000; i++) work += Math.sin(i);
            int seat = turn % players.size();
            players.get(seat).getOutputStream().write((seat + "\n" + stones + "\n").getBytes());
            players.get(seat).getOutputStream().flush();
            stones -= Integer.parseInt(answers.get(seat).readLine());
        }
        for (int seat = 0; seat < players.size(); seat++) {
            System.out.println((turn - 1) % players.size() == seat ? 1 : 0);
        }
        System.out.println("seed=" + seed + (work == 0 ? " " : ""));
        players.forEach(Process::destroy);
    }
}
