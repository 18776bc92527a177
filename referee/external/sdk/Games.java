import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Method;

/** Plays one game of CodinGame's SDK after another, until its input ends. */
public final class Games {
    private static final String INIT = "[[INIT]";

    public static void main(String[] args) throws Exception {
        InputStream in = System.in;
        PrintStream out = new PrintStream(new Lasting(System.out), true, "UTF-8");
        Method main = Class.forName("com.codingame.gameengine.core.RefereeMain")
            .getMethod("main", String[].class);
        for (byte[] first = begin(in); first != null; first = begin(in)) {
            System.setIn(new SequenceInputStream(new ByteArrayInputStream(first), new Shared(in)));
            System.setOut(out);
            // A game that fails has said so, and ends this process.
            main.invoke(null, (Object) args);
            out.flush();
        }
    }

    /** Returns the line with which a game begins, or null at the end. Others are of the last game. */
    private static byte[] begin(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            line.append((char) c);
            if (c == '\n') {
                if (line.toString().startsWith(INIT)) {
                    return line.toString().getBytes("ISO-8859-1");
                }
                line.setLength(0);
            }
        }
        return null;
    }

    /** Input of one game, which may close it. */
    private static final class Shared extends InputStream {
        private final InputStream in;

        Shared(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return in.read(bytes, from, length);
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }
    }

    /** Output that a game does not close. */
    private static final class Lasting extends OutputStream {
        private final OutputStream out;

        Lasting(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }
}
