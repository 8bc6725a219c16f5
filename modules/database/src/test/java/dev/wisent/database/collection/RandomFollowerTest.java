package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.RandomData;
import dev.wisent.database.RandomUpdates;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.index.ArrayMarks;
import dev.wisent.database.index.Index;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.query.path.FieldPath;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is written to one database, another one that applies its log has the same: in the store
 * and in memory, with readers beside it; and when the lead changes, the same the other way round.
 */
class RandomFollowerTest {
  private static final int ROUNDS = 24;
  private static final int STEPS = 25;
  private static final int LARGE_DOCUMENTS = 1200;
  private static final List<Namespace> NAMESPACES =
      List.of(new Namespace("test", "a"), new Namespace("test", "b"), new Namespace("more", "c"));

  private static final List<String> SPECS =
      List.of(
          "{key: {a: 1}}",
          "{key: {b: -1, a: 1}, unique: true}",
          "{key: {'$**': 1}}",
          "{key: {'a.$**': 1}}",
          "{key: {c: 1, 'a.$**': 1, 'b.y': -1}}",
          "{key: {a: 'hashed'}}",
          "{key: {c: 1, 'b.x': 'hashed'}, sparse: true}",
          "{key: {a: 1}, partialFilterExpression: {b: {$exists: true}}}",
          "{key: {c: -1}, prepareUnique: true}",
          "{key: {'a.x': 1, c: 1}, hidden: true}");

  /** Documents with arrays in many places, without their beginning. */
  private static final List<String> ARRAYS =
      List.of(
          "a: [1, 2, {x: 1}]}",
          "a: {x: [3, 4]}, c: 1}",
          "a: [{x: 5}, {x: [6]}]}",
          "b: [1, 'two'], a: 7}",
          "b: {y: [8, 9]}, a: {z: 1}}",
          "c: [1, [2, 3]]}");

  /** How a reader may end beside changes of the catalog and the first documents of a ring. */
  private static final Set<ErrorCode> EXPECTED_ENDS =
      Set.of(
          ErrorCode.QUERY_PLAN_KILLED,
          ErrorCode.CAPPED_POSITION_LOST,
          ErrorCode.BAD_VALUE,
          ErrorCode.NO_QUERY_EXECUTION_PLANS);

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final RandomData data = new RandomData(random);
  private final RandomUpdates updates = new RandomUpdates(random, data);
  private final AtomicBoolean reading = new AtomicBoolean(true);
  private volatile Throwable readerFailure;
  private final LongAdder answers = new LongAdder();
  private ReplicatedPair pair;
  private TestDatabase leader;
  private int nextId;

  @Test
  void theOtherHasTheSame(@TempDir Path directory) throws InterruptedException {
    System.out.println("RandomFollowerTest seed " + seed);
    pair = new ReplicatedPair(directory, seed);
    Thread reader = Thread.ofPlatform().daemon().name("reader").start(this::read);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        leader = pair.leader();
        for (int i = 0; i < STEPS; i++) {
          step();
        }
        pair.awaitApplied();
        assertSame(pair.leader(), pair.follower());
        assertThat(readerFailure).as("seed %d", seed).isNull();
        if (round % 3 == 2 && round + 1 < ROUNDS) {
          pair.swap();
        }
      }
    } finally {
      reading.set(false);
      reader.join();
    }
    assertThat(readerFailure).as("seed %d", seed).isNull();
    assertThat(answers.sum()).as("documents read beside").isGreaterThan(0);
    pair.first().database().assertNothingLeaks();
    pair.second().database().assertNothingLeaks();
    pair.close();
  }

  private Namespace namespace() {
    return NAMESPACES.get(random.nextInt(NAMESPACES.size()));
  }

  private void step() {
    Namespace namespace = namespace();
    Collection collection = leader.database().catalog().find(namespace);
    try {
      switch (random.nextInt(20)) {
        case 0, 14 -> create(namespace);
        case 1, 15 -> {
          if (collection != null && random.nextBoolean()) {
            leader.database().changes().drop(collection, leader.operation());
          }
        }
        case 2 -> rename(collection);
        case 3, 4, 5 -> addIndex(collection);
        case 6 -> dropIndex(collection);
        case 7 -> modify(collection);
        case 8 -> {
          if (collection != null) {
            leader.database().changes().reindex(collection, leader.operation());
          }
        }
        case 9 -> {
          if (random.nextInt(8) == 0) {
            insert(namespace, LARGE_DOCUMENTS);
          }
        }
        case 10, 11, 12 -> update(namespace);
        case 13 -> delete(namespace);
        default -> insert(namespace, 1 + random.nextInt(20));
      }
    } catch (CommandException e) {
      // Keys that are not unique, arrays where none may be: nothing was done then, on either side.
    }
  }

  private void create(Namespace namespace) {
    String options =
        random.nextInt(3) == 0
            ? "{capped: true, size: 20000, max: 30}"
            : "{validationLevel: 'off'}";
    Collection created =
        leader
            .database()
            .changes()
            .create(namespace, RawDocument.parse(options), leader.operation());
    // Indexes of an empty collection meet their first arrays later.
    for (int i = 0; i < 3; i++) {
      addIndex(created);
    }
  }

  private void rename(Collection collection) {
    Namespace to = namespace();
    if (collection != null && !to.equals(collection.namespace())) {
      Collection replaced = leader.database().catalog().find(to);
      leader.database().changes().rename(collection, to, replaced, leader.operation());
    }
  }

  private void addIndex(Collection collection) {
    if (collection == null) {
      return;
    }
    int which = random.nextInt(SPECS.size());
    String spec = "{v: 2, name: 'i" + which + "', " + SPECS.get(which).substring(1);
    leader
        .database()
        .changes()
        .addIndexes(collection, List.of(RawDocument.parse(spec)), leader.operation());
  }

  private void dropIndex(Collection collection) {
    if (collection == null || collection.indexes().size() == 1) {
      return;
    }
    leader
        .database()
        .changes()
        .dropIndexes(
            collection, definition -> definition.indexes().subList(1, 2), leader.operation());
  }

  private void modify(Collection collection) {
    if (collection == null) {
      return;
    }
    leader
        .database()
        .changes()
        .modify(
            collection,
            definition -> {
              IndexDefinition last = definition.indexes().getLast();
              if (last.isId() || random.nextBoolean()) {
                return definition.withOptions(
                    RawDocument.parse(
                        definition.isCapped()
                            ? "{capped: true, size: 20000, max: " + (5 + random.nextInt(30)) + "}"
                            : "{validator: {z: {$ne: " + random.nextInt(9) + "}}}"));
              }
              String spec = last.spec().toJson();
              boolean hidden = last.isHidden();
              String changed =
                  hidden
                      ? spec.replace(", \"hidden\": true", "")
                      : spec.substring(0, spec.length() - 1) + ", \"hidden\": true}";
              return definition.withIndex(
                  last, new IndexDefinition(last.ident(), RawDocument.parse(changed)));
            },
            leader.operation());
  }

  private void insert(Namespace namespace, int count) {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < count; i++) {
      int id = nextId++;
      documents.add(
          random.nextInt(5) == 0
              ? RawDocument.parse("{_id: " + id + ", " + ARRAYS.get(random.nextInt(ARRAYS.size())))
              : RawDocument.of(data.document(id)));
    }
    leader
        .database()
        .insert(leader.operation(), new InsertRequest(namespace, documents, false, false));
  }

  private void update(Namespace namespace) {
    UpdateStatement statement = updates.statement(nextId + 10);
    leader
        .database()
        .update(leader.operation(), new UpdateRequest(namespace, List.of(statement), true, false));
  }

  private void delete(Namespace namespace) {
    var statement = new DeleteStatement(RawDocument.of(data.filter()), true, null);
    leader
        .database()
        .delete(leader.operation(), new DeleteRequest(namespace, List.of(statement), true));
  }

  /** Reads both, for the one that follows changes. */
  private void read() {
    var ownRandom = new SplittableRandom(seed + 1);
    var ownData = new RandomData(ownRandom);
    try {
      while (reading.get()) {
        TestDatabase from = (ownRandom.nextBoolean() ? pair.first() : pair.second()).database();
        Namespace namespace = NAMESPACES.get(ownRandom.nextInt(NAMESPACES.size()));
        RawDocument filter = RawDocument.of(ownData.filter());
        try (ResultCursor cursor =
            from.database().find(from.operation(), FindRequest.of(namespace, filter))) {
          while (!TestDatabase.take(cursor, 5).isEmpty()) {
            answers.increment();
            cursor.detach();
            cursor.attach(from.operation());
          }
        } catch (CommandException e) {
          if (!EXPECTED_ENDS.contains(e.code())) {
            throw e;
          }
        }
      }
    } catch (Throwable e) {
      readerFailure = e;
    }
  }

  private void assertSame(TestDatabase expected, TestDatabase actual) {
    for (Keyspace keyspace : List.of(Keyspace.CATALOG, Keyspace.RECORDS, Keyspace.INDEX)) {
      assertThat(stored(actual, keyspace))
          .as("seed %d, %s", seed, keyspace)
          .isEqualTo(stored(expected, keyspace));
    }
    StoreContents.assertNothingUnknown(actual);
    assertThat(definitions(actual)).as("seed %d", seed).isEqualTo(definitions(expected));
    for (Namespace namespace : NAMESPACES) {
      Collection wanted = expected.database().catalog().find(namespace);
      if (wanted != null) {
        assertSame(expected, wanted, actual, actual.database().catalog().require(namespace));
      }
    }
  }

  private void assertSame(
      TestDatabase expected, Collection wanted, TestDatabase actual, Collection found) {
    assertThat(found.documents()).as("seed %d", seed).isEqualTo(wanted.documents());
    assertThat(found.dataBytes()).as("seed %d", seed).isEqualTo(wanted.dataBytes());
    assertThat(actual.database().catalog().find(found.ident())).isSameAs(found);
    ValidationReport report =
        new CollectionValidator(actual.engine(), found, actual.operation()).run();
    assertThat(report.isValid()).as("seed %d: %s", seed, report).isTrue();
    for (Index index : found.indexes()) {
      ArrayMarks inStore = index.storedArrays(actual.engine());
      // One that has led before may know of more, from documents that were refused.
      assertThat(index.isMultikey() || !inStore.any()).as("seed %d, %s", seed, index).isTrue();
      for (int field = 0; field < index.fieldCount(); field++) {
        assertHas(index.arrayParts(field), inStore.parts(field));
      }
      for (String path : List.of("a", "b", "c", "a.x", "b.y", "c.z")) {
        FieldPath fieldPath = FieldPath.of(path);
        assertHas(index.wildcardArrayParts(fieldPath), inStore.partsOf(fieldPath));
      }
    }
    for (int i = 0; i < 10; i++) {
      var request = FindRequest.of(found.namespace(), RawDocument.of(data.filter()));
      assertThat(answers(actual, request))
          .as("seed %d", seed)
          .isEqualTo(answers(expected, request));
    }
    for (int i = 0; i < 10; i++) {
      var byId =
          FindRequest.of(
              found.namespace(),
              RawDocument.parse("{_id: " + random.nextInt(Math.max(1, nextId)) + "}"));
      assertThat(answers(actual, byId)).as("seed %d", seed).isEqualTo(answers(expected, byId));
    }
  }

  private void assertHas(long parts, long wanted) {
    assertThat(parts & wanted).as("seed %d", seed).isEqualTo(wanted);
  }

  private static List<String> answers(TestDatabase database, FindRequest request) {
    return database.find(request).stream().map(RawDocument::toJson).sorted().toList();
  }

  private static Map<String, Object> definitions(TestDatabase database) {
    Map<String, Object> definitions = new TreeMap<>();
    database
        .database()
        .catalog()
        .all()
        .forEach(
            collection -> definitions.put(collection.namespace().full(), collection.definition()));
    return definitions;
  }

  private static Map<String, String> stored(TestDatabase database, Keyspace keyspace) {
    Map<String, String> entries = new TreeMap<>();
    try (KeyValueCursor cursor = database.engine().cursor(keyspace, null, null, false)) {
      while (cursor.next()) {
        entries.put(Arrays.toString(cursor.copyKey()), Arrays.toString(cursor.copyValue()));
      }
    }
    return entries;
  }
}
