package dev.wisent.database.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random statements of several transactions, and writes outside of them, in any order: each gives
 * what a model of snapshot isolation gives, in which the first writer wins.
 */
class SnapshotIsolationTest {
  private static final int ROUNDS = 12;
  private static final int STEPS = 250;
  private static final int CLIENTS = 4;
  private static final int IDS = 8;
  private static final int KEYS = 10;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());

  private TestDatabase database;
  private SplittableRandom random;
  private String where;

  /** A document of the model; a record is one from its insert to its delete. */
  private record Doc(long record, int id, int key, long n) {
    String json() {
      return "{\"_id\": %d, \"u\": %d, \"n\": %d, \"tags\": [%d, 7]}".formatted(id, key, n, n % 3);
    }
  }

  private TreeMap<Integer, Doc> committed;
  private Client[] clients;
  private long numbers;
  private int conflicts;
  private int commits;

  /** What a client has open, in the model. */
  private static final class Client {
    private TestTransaction transaction;
    private TreeMap<Integer, Doc> snapshot;
    private TreeMap<Integer, Doc> view;
    private final Set<Long> records = new HashSet<>();
    private final Set<String> keys = new HashSet<>();

    void end() {
      transaction = null;
      records.clear();
      keys.clear();
    }
  }

  @Test
  void agreesWithTheModel(@TempDir Path directory) {
    try (var opened = TestDatabase.openWithOplog(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        where = "seed " + seed + ", round " + round;
        run();
        database.database().changes().drop(database.collection(), database.operation());
      }
      database.assertNothingLeaks();
    }
    assertThat(conflicts).isGreaterThan(ROUNDS);
    assertThat(commits).isGreaterThan(ROUNDS);
  }

  private void run() {
    database.create("{}");
    database.createIndex("{u: 1}", "unique");
    database.createIndex("{n: 1}");
    database.createIndex("{tags: 1}");
    committed = new TreeMap<>();
    clients = new Client[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      clients[i] = new Client();
    }
    for (int step = 0; step < STEPS; step++) {
      String at = where;
      where = at + ", step " + step;
      if (random.nextInt(4) == 0) {
        plainWrite();
      } else {
        statement(clients[random.nextInt(CLIENTS)]);
      }
      where = at;
    }
    for (Client client : clients) {
      if (client.transaction != null) {
        commit(client);
      }
    }
    assertThat(database.find("{}")).as(where).containsExactlyInAnyOrderElementsOf(all(committed));
    database.assertValid();
  }

  private static List<String> all(Map<Integer, Doc> documents) {
    return documents.values().stream().map(Doc::json).toList();
  }

  private Doc newDocument() {
    return new Doc(++numbers, random.nextInt(IDS), random.nextInt(KEYS), ++numbers);
  }

  private void statement(Client client) {
    if (client.transaction == null) {
      client.transaction = TestTransaction.of(database);
      client.snapshot = new TreeMap<>(committed);
      client.view = new TreeMap<>(committed);
    }
    switch (random.nextInt(9)) {
      case 0, 1 -> insert(client);
      case 2, 3, 4 -> update(client);
      case 5 -> delete(client);
      case 6 -> read(client);
      case 7 -> {
        read(client);
        commit(client);
      }
      default -> {
        read(client);
        client.transaction.abort();
        client.end();
      }
    }
  }

  private void commit(Client client) {
    client.transaction.run(operation -> null);
    client.transaction.commit();
    Set<Integer> ids = new HashSet<>(client.snapshot.keySet());
    ids.addAll(client.view.keySet());
    for (int id : ids) {
      Doc before = client.snapshot.get(id);
      Doc after = client.view.get(id);
      if (!Objects.equals(before, after)) {
        if (after == null) {
          committed.remove(id);
        } else {
          committed.put(id, after);
        }
      }
    }
    client.end();
    commits++;
    assertThat(database.find("{}")).as(where).containsExactlyInAnyOrderElementsOf(all(committed));
    assertThat(database.find("{u: {$gte: 0}}"))
        .as(where)
        .containsExactlyInAnyOrderElementsOf(all(committed));
  }

  private void read(Client client) {
    for (String filter : List.of("{}", "{u: {$gte: 0}}", "{n: {$gt: 0}}", "{tags: 7}")) {
      assertThat(client.transaction.find(filter))
          .as("%s %s", where, filter)
          .containsExactlyInAnyOrderElementsOf(all(client.view));
    }
    int id = random.nextInt(IDS);
    Doc expected = client.view.get(id);
    assertThat(client.transaction.find("{_id: " + id + "}"))
        .as(where)
        .isEqualTo(expected == null ? List.of() : List.of(expected.json()));
  }

  /** What stands in the way of a write. */
  private record Trouble(boolean conflict, boolean duplicate) {
    Trouble or(Trouble other) {
      return new Trouble(conflict || other.conflict, duplicate || other.duplicate);
    }
  }

  private static final Trouble NONE = new Trouble(false, false);

  private void insert(Client client) {
    Doc document = newDocument();
    Trouble trouble =
        ofKey(client, "_id", document.id(), document.record())
            .or(ofKey(client, "u", document.key(), document.record()));
    expect(
        client,
        trouble,
        () -> client.transaction.tryInsert(true, document.json()),
        () -> {
          client.view.put(document.id(), document);
          client.keys.add("_id" + document.id());
          client.keys.add("u" + document.key());
        });
  }

  private void update(Client client) {
    int id = random.nextInt(IDS);
    Doc before = client.view.get(id);
    boolean otherKey = random.nextBoolean();
    int key = otherKey ? random.nextInt(KEYS) : before == null ? 0 : before.key();
    long n = ++numbers;
    Trouble trouble = before == null ? NONE : ofRecord(client, before);
    if (before != null && before.key() != key) {
      trouble =
          trouble
              .or(new Trouble(isLatched(client, "u" + before.key()), false))
              .or(ofKey(client, "u", key, before.record()));
    }
    expect(
        client,
        trouble,
        () ->
            client.transaction.update(
                "{_id: " + id + "}",
                "{$set: {u: %d, n: %d, tags: [%d, 7]}}".formatted(key, n, n % 3)),
        () -> {
          if (before != null) {
            client.view.put(id, new Doc(before.record(), id, key, n));
            client.records.add(before.record());
            if (before.key() != key) {
              client.keys.add("u" + before.key());
              client.keys.add("u" + key);
            }
          }
        });
  }

  private void delete(Client client) {
    int id = random.nextInt(IDS);
    Doc before = client.view.get(id);
    expect(
        client,
        before == null ? NONE : ofRecord(client, before),
        () -> client.transaction.delete("{_id: " + id + "}", false),
        () -> {
          if (before != null) {
            client.view.remove(id);
            client.records.add(before.record());
          }
        });
  }

  private boolean isLatched(Client asking, String key) {
    for (Client client : clients) {
      if (client != asking && client.transaction != null && client.keys.contains(key)) {
        return true;
      }
    }
    return false;
  }

  private boolean isLatched(Client asking, long record) {
    for (Client client : clients) {
      if (client != asking && client.transaction != null && client.records.contains(record)) {
        return true;
      }
    }
    return false;
  }

  private Trouble ofRecord(Client client, Doc document) {
    Doc stored = client.snapshot.get(document.id());
    boolean changed =
        stored != null
            && stored.record() == document.record()
            && !client.records.contains(document.record())
            && !stored.equals(committed.get(document.id()));
    return new Trouble(changed || isLatched(client, document.record()), false);
  }

  private Trouble ofKey(Client client, String index, int key, long record) {
    boolean taken = isTaken(client.view, index, key, record);
    boolean takenSince =
        isTaken(committed, index, key, record) && !isTaken(client.snapshot, index, key, record);
    return new Trouble(isLatched(client, index + key) || (!taken && takenSince), taken);
  }

  private static boolean isTaken(Map<Integer, Doc> in, String index, int key, long record) {
    return in.values().stream()
        .anyMatch(
            other ->
                other.record() != record && (index.equals("u") ? other.key() : other.id()) == key);
  }

  private void expect(
      Client client, Trouble trouble, Supplier<WriteOutcome> write, Runnable inModel) {
    ErrorCode code = null;
    try {
      WriteOutcome outcome = write.get();
      if (!outcome.failures().isEmpty()) {
        code = outcome.failures().getFirst().error().code();
      }
    } catch (CommandException e) {
      code = e.code();
    }
    var possible = new ArrayList<ErrorCode>();
    if (trouble.conflict()) {
      possible.add(ErrorCode.WRITE_CONFLICT);
    }
    if (trouble.duplicate()) {
      possible.add(ErrorCode.DUPLICATE_KEY);
    }
    if (possible.isEmpty()) {
      assertThat(code).as(where).isNull();
      inModel.run();
    } else {
      assertThat(code).as(where).isIn(possible);
      conflicts++;
      client.end();
    }
  }

  /** A write that no transaction is in the way of, for it would wait. */
  private void plainWrite() {
    int id = random.nextInt(IDS);
    Doc before = committed.get(id);
    Doc document = newDocument();
    if (before == null || random.nextInt(4) == 0) {
      if (isLatched(null, "_id" + document.id()) || isLatched(null, "u" + document.key())) {
        return;
      }
      boolean fails =
          isTaken(committed, "_id", document.id(), document.record())
              || isTaken(committed, "u", document.key(), document.record());
      assertThat(database.tryInsert(true, document.json()).failures())
          .as(where)
          .hasSize(fails ? 1 : 0);
      if (!fails) {
        committed.put(document.id(), document);
      }
    } else if (!isLatched(null, before.record())) {
      if (random.nextInt(3) == 0) {
        database.delete("{_id: " + id + "}", false);
        committed.remove(id);
      } else {
        long n = ++numbers;
        database.update("{_id: " + id + "}", "{$set: {n: %d, tags: [%d, 7]}}".formatted(n, n % 3));
        committed.put(id, new Doc(before.record(), id, before.key(), n));
      }
    }
  }
}
