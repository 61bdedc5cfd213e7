// SPDX-License-Identifier: Apache-2.0

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** A made-up language, in which each word is worth something: messages are written in it and scored by it. */
final class Words {
  private static final int VOCABULARY = 5000;
  private static final String[] WORDS = new String[VOCABULARY];
  private static final Map<String, Integer> SCORES = new HashMap<>();

  static {
    Random random = new Random(1);
    for (int i = 0; i < VOCABULARY; i++) {
      StringBuilder word = new StringBuilder();
      for (int n = 2 + random.nextInt(8); n > 0; n--) {
        word.append((char) ('a' + random.nextInt(26)));
      }
      WORDS[i] = word.toString();
      SCORES.put(WORDS[i], random.nextInt(11) - 5);
    }
  }

  private Words() {}

  /** A message of about so many bytes. */
  static String message(Random random, int bytes) {
    StringBuilder text = new StringBuilder(bytes + 10);
    while (text.length() < bytes) {
      text.append(WORDS[random.nextInt(VOCABULARY)]).append(' ');
    }
    return text.toString();
  }

  /** The sum of what a message's words are worth. */
  static int score(String message) {
    int sum = 0;
    for (String word : message.split(" ")) {
      sum += SCORES.getOrDefault(word, 0);
    }
    return sum;
  }
}
