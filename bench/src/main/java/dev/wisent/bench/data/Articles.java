package dev.wisent.bench.data;

import java.util.SplittableRandom;

/**
 * Documents to be searched for words: a title and a body of about a hundred words. Few words make
 * up most of each text, as in prose. Each article also has the word of its topic, once in the title
 * and at times in the body, which {@link #TOPIC_SIZE} articles share.
 */
public final class Articles {
  public static final String BODY = "body";
  public static final int TOPIC_SIZE = 100;

  /** Words that most articles have, and that a search for one of them is slow for. */
  private static final int COMMON_WORDS = 200;

  private static final int WORDS = 20_000;
  private static final int BODY_WORDS = 100;
  private static final String CONSONANTS = "bcdfgklmnprtvz";
  private static final String VOWELS = "aiou";

  private final long seed;
  private final long records;

  public Articles(long seed, long records) {
    this.seed = seed;
    this.records = records;
  }

  public BenchDocument document(long number) {
    return new Article(number);
  }

  /** How many topics there are. */
  public static long topics(long records) {
    return (records - 1) / TOPIC_SIZE + 1;
  }

  /** How many articles have a topic. */
  public static long size(long topic, long records) {
    return (records - topic - 1) / topics(records) + 1;
  }

  /** The word of a topic, which nothing else has in it. */
  public static String topic(long number) {
    return "x" + syllables(number);
  }

  /** One of the words that come often, but not most often. */
  public static String commonWord(SplittableRandom random) {
    return word(COMMON_WORDS / 4 + random.nextInt(COMMON_WORDS));
  }

  private static String word(int rank) {
    return "w" + syllables(rank);
  }

  /** Another word for each number; endings that a stemmer would take off do not come up. */
  private static String syllables(long number) {
    var word = new StringBuilder();
    long left = number;
    do {
      word.append(VOWELS.charAt((int) (left % VOWELS.length())));
      left /= VOWELS.length();
      word.append(CONSONANTS.charAt((int) (left % CONSONANTS.length())));
      left /= CONSONANTS.length();
    } while (left > 0);
    return word.append("ok").toString();
  }

  private final class Article implements BenchDocument {
    private final long number;

    Article(long number) {
      this.number = number;
    }

    @Override
    public String id() {
      return DocumentGenerator.id(number);
    }

    @Override
    public void writeFields(FieldSink sink) {
      SplittableRandom random = SeededText.random(seed, number);
      String topic = topic(number % topics(records));
      var body = new StringBuilder(topic);
      for (int i = 0; i < BODY_WORDS; i++) {
        body.append(i % 12 == 11 ? ". " : " ");
        body.append(random.nextInt(200) == 0 ? topic : word(rank(random)));
      }
      sink.string("title", word(rank(random)) + " " + word(rank(random)));
      sink.string(BODY, body.toString());
      sink.int64("number", number);
    }

    /** The first word comes twice as often as the second, that twice as often as the fourth. */
    private int rank(SplittableRandom random) {
      return (int) Math.exp(random.nextDouble() * Math.log(WORDS)) - 1;
    }
  }
}
