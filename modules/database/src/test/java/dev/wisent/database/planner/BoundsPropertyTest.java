package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.Conjuncts;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Intervals;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.key.IndexKeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.path.FieldPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: bounds lose no document, and what they promise to answer they answer. Method: a random
 * document has the keys that an index would have for it and only its own arrays are known, so that
 * bounds are as tight as they get. If it matches, one of its keys must lie in the bounds; if one
 * does and nothing is left to be asked of the document, it must match.
 */
class BoundsPropertyTest {
  private static final int INDEXES = 15;
  private static final int FILTERS_PER_INDEX = 400;
  private static final int DOCUMENTS_PER_FILTER = 10;

  @Test
  void boundsHaveAKeyOfEveryMatch(@TempDir Path directory) {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    System.out.println("BoundsPropertyTest seed " + seed);
    var random = new Random(seed);
    var data = new RandomData(random);
    int matches = 0;
    try (TestDatabase database = TestDatabase.open(directory)) {
      database.create("{}");
      for (int i = 0; i < INDEXES; i++) {
        BsonDocument pattern = data.keyPattern();
        boolean sparse = i % 4 == 0;
        var spec = new BsonDocument("v", new BsonInt32(2)).append("key", pattern);
        spec.append("name", new BsonString("i"));
        spec.append("sparse", BsonBoolean.valueOf(sparse));
        BsonDocument collation = data.collation();
        spec.append("collation", collation);
        database
            .database()
            .changes()
            .addIndexes(database.collection(), List.of(RawDocument.of(spec)), database.operation());
        Index index = database.collection().indexes().getLast();
        for (int n = 0; n < FILTERS_PER_INDEX; n++) {
          RawDocument filter = RawDocument.of(onFieldsOf(index, data.filter(), random));
          BsonDocument asked = random.nextInt(4) == 0 ? data.collation() : collation;
          Collation used = Collation.parse(RawDocument.of(asked));
          for (int d = 0; d < DOCUMENTS_PER_FILTER; d++) {
            RawDocument document = RawDocument.of(data.document(1));
            matches += check(index, filter, used, document, seed) ? 1 : 0;
          }
        }
        database.dropIndex(index.name());
      }
    }
    assertThat(matches).as("cases in which a document matched").isGreaterThan(1_000);
  }

  /** The same conditions on paths of the index, the first one among them. */
  private static BsonDocument onFieldsOf(Index index, BsonDocument filter, Random random) {
    var moved = new BsonDocument();
    filter.forEach(
        (name, condition) -> {
          int field = moved.isEmpty() ? 0 : random.nextInt(index.fieldCount());
          boolean isPath = !name.startsWith("$") && random.nextInt(8) != 0;
          moved.put(isPath ? index.path(field).dotted() : name, condition);
        });
    return moved;
  }

  /** Whether the index was of use and the document matched. */
  private static boolean check(
      Index index, RawDocument source, Collation collation, RawDocument document, long seed) {
    MatchExpression filter;
    var keys = new ArrayList<RawValue[]>();
    var pattern = KeyPattern.of(index.definition().key()).withCollation(index.collation());
    var extractor = new IndexKeyExtractor(pattern, index.isSparse());
    try {
      var context = QueryContext.of(() -> 0, () -> 0).withCollation(collation);
      filter = MatchParser.parse(source, context);
      extractor.extract(document, key -> keys.add(decode(key, pattern)));
    } catch (CommandException e) {
      // No filter, or no document that such an index can have.
      return false;
    }
    List<MatchExpression> members = Conjuncts.members(MatchNormalForm.of(filter));
    IndexAccess access =
        IndexAccessBuilder.build(view(index, extractor), members, Predicate.of(members));
    if (access == null) {
      return false;
    }
    boolean matches = filter.matches(document);
    List<RawValue[]> inside = keys.stream().filter(key -> isInside(access, key)).toList();
    String description =
        "seed %d, index %s, filter %s under %s, document %s, bounds %s"
            .formatted(
                seed,
                ValueText.of(index.definition().spec()),
                source.toJson(),
                collation,
                document.toJson(),
                access.fields());
    if (matches) {
      assertThat(inside).as(description).isNotEmpty();
    }
    if (access.filter() == null && access.keyFilter() == null) {
      assertThat(matches).as(description).isEqualTo(!inside.isEmpty());
    } else if (access.filter() == null && !hasSharedBeginnings(index)) {
      boolean accepted =
          inside.stream().anyMatch(key -> access.keyFilter().matches(keyDocument(index, key)));
      assertThat(matches).as(description).isEqualTo(accepted);
    }
    return matches;
  }

  private static RawValue[] decode(IndexKeyV1.Encoder key, KeyPattern pattern) {
    byte[] typeBits = key.typeBitsToByteArray();
    return IndexKeyV1.decode(
        key.toByteArray(), 0, key.length(), typeBits, 0, typeBits.length, pattern.descending());
  }

  private static boolean hasSharedBeginnings(Index index) {
    long names =
        IntStream.range(0, index.fieldCount())
            .mapToObj(i -> index.path(i).name(0))
            .distinct()
            .count();
    return names < index.fieldCount();
  }

  private static IndexView view(Index index, IndexKeyExtractor extractor) {
    var parts = new ArrayList<KeyPart>();
    for (int i = 0; i < index.fieldCount(); i++) {
      FieldPath path = index.path(i);
      parts.add(
          new KeyPart(
              path.dotted(),
              path,
              KeyPart.Kind.VALUE,
              index.isDescending(i),
              extractor.arrayParts(i),
              index.isSparse() && index.fieldCount() == 1,
              index.collation()));
    }
    return new IndexView(index, parts, null);
  }

  private static boolean isInside(IndexAccess access, RawValue[] key) {
    List<FieldIntervals> fields = access.fields();
    for (int i = 0; i < key.length; i++) {
      if (!Intervals.contains(fields.get(i).intervals(), key[i])) {
        return false;
      }
    }
    return true;
  }

  /** What the values of a key look like in a document, if no two paths begin alike. */
  private static RawDocument keyDocument(Index index, RawValue[] key) {
    var document = new BsonBuilder();
    for (int i = 0; i < key.length; i++) {
      FieldPath path = index.path(i);
      for (int part = 0; part < path.length() - 1; part++) {
        document.startDocument(path.name(part));
      }
      document.append(path.name(path.length() - 1), key[i]);
      for (int part = 0; part < path.length() - 1; part++) {
        document.end();
      }
    }
    return document.toDocument();
  }
}
