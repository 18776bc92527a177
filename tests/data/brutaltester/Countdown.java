import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

/**
 * A referee program for cg-brutaltester's old mode in the language of most of them: two players take
 * one to three of some stones in turn, and the taker of the last one wins. Written for tests.
 */
class Countdown {
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        long seed = Long.parseLong(in.readLine().split(" ")[1]);
        in.readLine();
        int stones = 10 + new Random(seed).nextInt(10), turn = 0;
        double work = 0;
        for (; stones > 0; turn++) {
            // A turn that takes a while to compute.
            for (int i = 0; i < 1_000_000; i++) work += Math.sin(i);
            System.out.println("###Input " + turn % 2 + "\n" + turn % 2 + "\n" + stones);
            System.out.println("###Output " + turn % 2 + " 1");
            stones -= Integer.parseInt(in.readLine());
        }
        int winner = (turn - 1) % 2;
        System.out.println("###End " + winner + " " + (1 - winner) + (work == 0 ? " " : ""));
    }
}
