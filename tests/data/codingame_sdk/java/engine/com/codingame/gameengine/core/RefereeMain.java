package com.codingame.gameengine.core;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Types;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/** Plays one game on standard input and output. Prints of the game are swallowed. */
public class RefereeMain {
    public static void main(String[] args) throws Exception {
        InputStream in = System.in;
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        start(in, out);
    }

    @SuppressWarnings("unchecked")
    public static <T extends AbstractMultiplayerPlayer> void start(InputStream in, PrintStream out)
            throws Exception {
        Class<T> player = (Class<T>) Class.forName("com.codingame.game.Player");
        MultiplayerGameManager<T> manager = new MultiplayerGameManager<>();
        AbstractModule module = new AbstractModule() {
            @Override
            protected void configure() {
                TypeLiteral<?> key =
                    TypeLiteral.get(Types.newParameterizedType(MultiplayerGameManager.class, player));
                bind((TypeLiteral<MultiplayerGameManager<T>>) key).toInstance(manager);
            }
        };
        Class<?> rules = Class.forName("com.codingame.game.Referee");
        Object referee = Guice.createInjector(module).getInstance(rules);
        manager.play((AbstractReferee) referee, player, in, out);
    }
}
