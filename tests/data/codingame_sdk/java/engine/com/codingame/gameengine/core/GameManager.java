package com.codingame.gameengine.core;

import com.google.gson.Gson;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Scanner;

/** One game: its players, and the messages of the protocol. */
public abstract class GameManager<T extends AbstractPlayer> {
    private static final int GRACE = 50;

    protected final List<T> players = new ArrayList<>();
    private final Properties parameters = new Properties();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final List<String> summary = new ArrayList<>();
    private final List<String> tooltips = new ArrayList<>();
    private Random random;
    private Scanner in;
    private PrintStream out;
    private int maxTurns = 200;
    private int firstLimit = 1000;
    private int limit = 50;
    private int turn;
    private int frames;
    private boolean isNewTurn;
    private boolean hasEnded;

    public Properties getGameParameters() {
        return parameters;
    }

    public Random getRandom() {
        return random;
    }

    public int getPlayerCount() {
        return players.size();
    }

    public int getLeagueLevel() {
        return Integer.getInteger("league.level", 1);
    }

    public void setMaxTurns(int turns) {
        maxTurns = turns;
    }

    public void setFirstTurnMaxTime(int milliseconds) {
        firstLimit = milliseconds;
    }

    public void setTurnMaxTime(int milliseconds) {
        limit = milliseconds;
    }

    public void addToGameSummary(String line) {
        summary.add(line);
    }

    public void addTooltip(int player, String text) {
        Collections.addAll(tooltips, text, String.valueOf(player));
    }

    public void putMetadata(String key, Object value) {
        metadata.put(key, String.valueOf(value));
    }

    protected void end() {
        hasEnded = true;
    }

    /** Plays the game to its end. */
    void play(AbstractReferee referee, Class<T> kind, InputStream from, PrintStream to) {
        in = new Scanner(from, "UTF-8");
        out = to;
        try {
            begin(kind);
            referee.init();
            while (turn < maxTurns && !hasEnded) {
                turn++;
                isNewTurn = true;
                referee.gameTurn(turn);
            }
            referee.onEnd();
            finish();
        } catch (Exception error) {
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            say("FAIL", Arrays.asList(trace.toString().split("\n")));
            System.exit(1);
        }
        in.close();
    }

    private void begin(Class<T> kind) throws Exception {
        List<String> lines = read("INIT");
        for (int index = 0; index < Integer.parseInt(lines.get(0)); index++) {
            T player = kind.getDeclaredConstructor().newInstance();
            player.manager = this;
            player.index = index;
            players.add(player);
        }
        for (String line : lines.subList(1, lines.size())) {
            String[] pair = line.split("=", 2);
            parameters.setProperty(pair[0], pair[1]);
        }
        random = new Random(Long.parseLong(parameters.getProperty("seed", "0")));
    }

    /** Calls a player. Returns its lines, or null. */
    List<String> call(int player, int lines, List<String> inputs) {
        read("GET_GAME_INFO");
        view();
        say("NEXT_PLAYER_INPUT", inputs);
        int time = (turn == 1 ? firstLimit : limit) + GRACE;
        say("NEXT_PLAYER_INFO", Arrays.asList("" + player, "" + lines, "" + time));
        String[] header = header();
        List<String> answer = body(header);
        if (header[0].equals("SET_PLAYER_TIMEOUT")) {
            return null;
        }
        // The first line is the time of the answer.
        return answer.subList(1, answer.size());
    }

    private void view() {
        String kind = isNewTurn ? "KEY_FRAME " : "INTERMEDIATE_FRAME ";
        say("VIEW", Collections.singletonList(kind + frames));
        if (frames == 0) {
            say("MONITORING", Collections.emptyList());
        }
        frames++;
        say("INFOS", Collections.emptyList());
        if (isNewTurn) {
            say("SUMMARY", summary);
            if (!tooltips.isEmpty()) {
                say("TOOLTIP", tooltips);
            }
            summary.clear();
            tooltips.clear();
        }
        isNewTurn = false;
    }

    private void finish() {
        isNewTurn = true;
        view();
        List<String> inputs = new ArrayList<>();
        parameters.forEach((key, value) -> inputs.add(key + "=" + value));
        say("UINPUT", inputs);
        say("METADATA", Collections.singletonList(new Gson().toJson(metadata)));
        List<String> scores = new ArrayList<>();
        players.forEach(player -> scores.add(player.index + " " + player.score));
        say("SCORES", scores);
    }

    private void say(String name, List<String> lines) {
        StringBuilder text = new StringBuilder("[[" + name + "] " + lines.size() + "]\n");
        lines.forEach(line -> text.append(line).append('\n'));
        out.print(text);
        out.flush();
    }

    private String[] header() {
        String line = in.nextLine();
        String[] parts = line.substring(2, line.length() - 1).split("] ?");
        return parts;
    }

    private List<String> body(String[] header) {
        List<String> lines = new ArrayList<>();
        for (int n = Integer.parseInt(header[1]); n > 0; n--) {
            lines.add(in.nextLine());
        }
        return lines;
    }

    private List<String> read(String name) {
        String[] header = header();
        if (!header[0].equals(name)) {
            throw new IllegalStateException("expected " + name + ", got " + header[0]);
        }
        return body(header);
    }
}
