package dev.wisent.bench.workload;

import static dev.wisent.bench.workload.LoopWorkload.expect;

import dev.wisent.bench.data.Articles;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.TargetFactory;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Searches for words, the best documents first. */
final class TextWorkloads {
  private static final int BEST = 20;

  private TextWorkloads() {}

  static List<Workload> all() {
    return List.of(
        new TextWorkload(
            "text-topic",
            "the " + BEST + " best of about " + Articles.TOPIC_SIZE + " documents with a word",
            TextWorkloads::topic),
        new TextWorkload(
            "text-common",
            "the " + BEST + " best of the many documents with one of two common words",
            TextWorkloads::common));
  }

  private static void topic(
      Session session, String collection, long records, SplittableRandom random) {
    long topic = random.nextLong(Articles.topics(records));
    long size = Math.min(BEST, Articles.size(topic, records));
    expect(size, session.search(collection, Fields.BODY, List.of(Articles.topic(topic)), BEST));
  }

  private static void common(
      Session session, String collection, long records, SplittableRandom random) {
    List<String> words = List.of(Articles.commonWord(random), Articles.commonWord(random));
    session.search(collection, Fields.BODY, words, BEST);
  }

  /** A loop over the articles, where the target can search them. */
  private record TextWorkload(String name, String summary, LoopWorkload.Step step)
      implements Workload {
    @Override
    public Durability durability() {
      return Durability.READ_ONLY;
    }

    @Override
    public Optional<String> unsupportedBy(Target target) {
      return target.name().equals(TargetFactory.MONGO_JAVA_SERVER)
          ? Optional.of("it has no text indexes")
          : Optional.empty();
    }

    @Override
    public Prepared prepare(Subject subject) {
      return new LoopWorkload(name, summary, durability(), Dataset.ARTICLES, step).prepare(subject);
    }
  }
}
