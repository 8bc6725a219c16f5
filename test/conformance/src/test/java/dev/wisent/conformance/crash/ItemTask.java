package dev.wisent.conformance.crash;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** Random writes of every kind to documents that only this writer touches. */
final class ItemTask implements Task {

  private static final int LIVE_MAX = 150;
  private static final int GROUPS = 12;
  private static final int TAGS = 20;

  private final int writer;
  private final RandomGenerator random;
  private final ItemModel model = new ItemModel();
  private long nextId;

  ItemTask(int writer, RandomGenerator random) {
    this.writer = writer;
    this.random = random;
  }

  ItemModel model() {
    return model;
  }

  @Override
  public void step(Namespaces namespaces) {
    if (model.size() < 5) {
      insertMany(namespaces);
      return;
    }
    if (model.size() > LIVE_MAX) {
      deleteGroup(namespaces);
      return;
    }
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> insertOne(namespaces);
      case 3 -> insertMany(namespaces);
      case 4, 5 -> increment(namespaces);
      case 6 -> changeTags(namespaces);
      case 7 -> replace(namespaces);
      case 8 -> delete(namespaces);
      case 9 -> findAndIncrement(namespaces);
      case 10 -> updateGroup(namespaces);
      case 11 -> bulkWrite(namespaces);
      case 12 -> upsert(namespaces);
      default -> violateUniqueKey(namespaces);
    }
  }

  private void insertOne(Namespaces namespaces) {
    Item item = newItem();
    model.begin(List.of(Change.insert(item)), true);
    namespaces.items().insertOne(item.toDocument());
    model.acknowledge();
  }

  private void insertMany(Namespaces namespaces) {
    List<Item> items =
        IntStream.rangeClosed(0, random.nextInt(8)).mapToObj(i -> newItem()).toList();
    model.begin(items.stream().map(Change::insert).toList(), true);
    namespaces.items().insertMany(items.stream().map(Item::toDocument).toList());
    model.acknowledge();
  }

  private void increment(Namespaces namespaces) {
    Item before = model.any(random);
    long by = random.nextLong(-1000, 1000);
    int group = random.nextInt(GROUPS);
    // A change of nothing at all would be indistinguishable, so the counter always moves.
    Item after = before.withN(before.n() + (by == 0 ? 1 : by)).withGroup(group);
    model.begin(List.of(Change.update(before, after)), true);
    var result =
        namespaces
            .items()
            .updateOne(
                eq(before.id()),
                Updates.combine(
                    Updates.inc("n", after.n() - before.n()), Updates.set("group", group)));
    assertThat(result.getModifiedCount()).isEqualTo(1);
    model.acknowledge();
  }

  private void changeTags(Namespaces namespaces) {
    Item before = model.any(random);
    boolean remove = !before.tags().isEmpty() && random.nextBoolean();
    int tag =
        remove
            ? before.tags().get(random.nextInt(before.tags().size()))
            : TAGS + random.nextInt(TAGS);
    Item after = remove ? before.withoutTag(tag) : before.withTag(tag);
    Bson update = remove ? Updates.pull("tags", tag) : Updates.push("tags", tag);
    model.begin(List.of(Change.update(before, after)), true);
    namespaces.items().updateOne(eq(before.id()), update);
    model.acknowledge();
  }

  private void replace(Namespaces namespaces) {
    Item before = model.any(random);
    Item after = newContent(before.id());
    model.begin(List.of(Change.update(before, after)), true);
    namespaces.items().replaceOne(eq(before.id()), after.toDocument());
    model.acknowledge();
  }

  private void delete(Namespaces namespaces) {
    Item item = model.any(random);
    model.begin(List.of(Change.delete(item)), true);
    var result = namespaces.items().deleteOne(eq(item.id()));
    assertThat(result.getDeletedCount()).isEqualTo(1);
    model.acknowledge();
  }

  private void findAndIncrement(Namespaces namespaces) {
    Item before = model.any(random);
    Item after = before.withN(before.n() + 1);
    model.begin(List.of(Change.update(before, after)), true);
    BsonDocument found =
        namespaces
            .items()
            .findOneAndUpdate(
                eq("key", before.key()),
                Updates.inc("n", 1L),
                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
    assertThat(found).isEqualTo(after.toDocument());
    model.acknowledge();
  }

  private void updateGroup(Namespaces namespaces) {
    int group = random.nextInt(GROUPS);
    List<Item> members = model.ofGroup(group);
    model.begin(
        members.stream().map(item -> Change.update(item, item.withN(item.n() + 7))).toList(),
        false);
    var result =
        namespaces
            .items()
            .updateMany(and(eq("writer", writer), eq("group", group)), Updates.inc("n", 7L));
    assertThat(result.getModifiedCount()).isEqualTo(members.size());
    model.acknowledge();
  }

  private void deleteGroup(Namespaces namespaces) {
    int group = random.nextInt(GROUPS);
    List<Item> members = model.ofGroup(group);
    model.begin(members.stream().map(Change::delete).toList(), false);
    var result = namespaces.items().deleteMany(and(eq("writer", writer), eq("group", group)));
    assertThat(result.getDeletedCount()).isEqualTo(members.size());
    model.acknowledge();
  }

  private void bulkWrite(Namespaces namespaces) {
    Item inserted = newItem();
    Item replaced = model.any(random);
    Item replacement = newContent(replaced.id());
    Item deleted =
        Stream.generate(() -> model.any(random))
            .filter(item -> !item.id().equals(replaced.id()))
            .findFirst()
            .orElseThrow();
    List<WriteModel<BsonDocument>> writes =
        List.of(
            new InsertOneModel<>(inserted.toDocument()),
            new ReplaceOneModel<>(eq(replaced.id()), replacement.toDocument()),
            new DeleteOneModel<>(eq(deleted.id())));
    model.begin(
        List.of(
            Change.insert(inserted), Change.update(replaced, replacement), Change.delete(deleted)),
        true);
    namespaces.items().bulkWrite(writes, new BulkWriteOptions().ordered(true));
    model.acknowledge();
  }

  private void upsert(Namespaces namespaces) {
    Item item = newItem();
    List<Bson> fields = new ArrayList<>();
    item.toDocument()
        .forEach(
            (name, value) -> {
              if (!name.equals("_id")) {
                fields.add(Updates.set(name, value));
              }
            });
    model.begin(List.of(Change.insert(item)), true);
    namespaces
        .items()
        .updateOne(eq(item.id()), Updates.combine(fields), new UpdateOptions().upsert(true));
    model.acknowledge();
  }

  private void violateUniqueKey(Namespaces namespaces) {
    Item taken = model.any(random);
    Item fresh = newItem();
    BsonDocument duplicate = fresh.toDocument().append("key", taken.toDocument().get("key"));
    // Nothing is to change, so nothing is under way: neither now nor after a crash.
    try {
      namespaces.items().insertOne(duplicate);
    } catch (MongoWriteException refused) {
      assertThat(refused.getError().getCategory()).isEqualTo(ErrorCategory.DUPLICATE_KEY);
      return;
    }
    throw new AssertionError("a second document with key " + taken.key() + " was accepted");
  }

  private Item newItem() {
    return newContent("w" + writer + "-" + nextId++);
  }

  private Item newContent(String id) {
    List<Integer> tags = random.ints(random.nextInt(4), 0, TAGS).distinct().boxed().toList();
    // Mostly small; now and then larger than a block of the log.
    int length = random.nextInt(20) == 0 ? random.nextInt(60_000) : random.nextInt(600);
    String payload = Character.toString('a' + random.nextInt(26)).repeat(length);
    return new Item(
        id,
        writer,
        random.nextInt(GROUPS),
        random.nextInt(1000),
        "k" + writer + "-" + random.nextLong(Long.MAX_VALUE),
        tags,
        payload);
  }
}
