package dev.wisent.cli.advise;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a collection is now.
 *
 * @param key null where it is not sharded
 * @param shards all shards of the cluster, by name; none where there is no cluster
 */
record ShardPlacement(RawDocument key, List<Part> shards) {
  static final ShardPlacement NONE = new ShardPlacement(null, List.of());

  /** What one shard has. */
  record Part(String shard, long documents, long bytes, long chunks) {}

  ShardPlacement {
    shards = List.copyOf(shards);
  }

  static ShardPlacement read(Deployment deployment, Namespace namespace) throws AdviseException {
    if (!deployment.isRouter()) {
      return NONE;
    }
    var names = new ArrayList<String>();
    RawDocument all = RawDocument.parse("{find: 'shards', sort: {_id: 1}}");
    deployment.each("config", "shards", all, each -> names.add(each.get("_id").asString()));
    var found = new ArrayList<RawDocument>();
    var find = new BsonBuilder().appendString("find", "collections").startDocument("filter");
    find.appendString("_id", namespace.full()).end();
    deployment.each("config", "collections", find.toDocument(), found::add);
    boolean sharded = !found.isEmpty() && !isTrue(found.getFirst().get("unsplittable"));
    Map<String, Long> chunks = sharded ? chunks(deployment, found.getFirst()) : Map.of();
    RawDocument stats =
        deployment
            .call(
                namespace.database(),
                new BsonBuilder().appendString("collStats", namespace.collection()).toDocument())
            .get("shards")
            .asDocument();
    var parts = new ArrayList<Part>();
    for (String name : names) {
      parts.add(part(name, stats.get(name), chunks.getOrDefault(name, 0L)));
    }
    return new ShardPlacement(
        sharded ? found.getFirst().get("key").asDocument().detached() : null, parts);
  }

  private static boolean isTrue(RawValue value) {
    return value != null && value.isTruthy();
  }

  private static Map<String, Long> chunks(Deployment deployment, RawDocument collection)
      throws AdviseException {
    var command = new BsonBuilder().appendString("aggregate", "chunks").startArray("pipeline");
    command.startDocument(0).startDocument("$match");
    command.append("uuid", collection.get("uuid")).end().end();
    command.appendDocument(1, RawDocument.parse("{$group: {_id: '$shard', n: {$sum: 1}}}"));
    command.end().startDocument("cursor").end();
    var chunks = new TreeMap<String, Long>();
    deployment.each(
        "config",
        "chunks",
        command.toDocument(),
        each -> {
          chunks.put(each.get("_id").asString(), each.get("n").toLong());
          return true;
        });
    return chunks;
  }

  /** Documents that the shard does not own are not counted. */
  private static Part part(String name, RawValue stats, long chunks) {
    if (stats == null) {
      return new Part(name, 0, 0, chunks);
    }
    long documents = number(stats.asDocument(), "count");
    long owned = documents - Math.min(documents, number(stats.asDocument(), "numOrphanDocs"));
    double bytes = (double) number(stats.asDocument(), "size") * owned / Math.max(1, documents);
    return new Part(name, owned, Math.round(bytes), chunks);
  }

  private static long number(RawDocument stats, String field) {
    RawValue value = stats.get(field);
    return value != null && value.isNumber() ? value.toLong() : 0;
  }

  private long total() {
    return shards.stream().mapToLong(Part::bytes).sum();
  }

  double share(Part part) {
    return total() == 0 ? 0 : (double) part.bytes() / total();
  }

  String title() {
    return key == null ? "now not sharded" : "now sharded by " + ValueText.of(key);
  }

  /** A line for each shard; none where there is no cluster. */
  List<String> lines() {
    int width = shards.stream().mapToInt(part -> part.shard().length()).max().orElse(1);
    return shards.stream()
        .map(
            part ->
                String.format(
                    Locale.ROOT,
                    "%-" + width + "s  %5s  %s, %s documents%s",
                    part.shard(),
                    Advice.percent(share(part)),
                    Advice.bytes(part.bytes()),
                    Advice.count(part.documents()),
                    key == null ? "" : ", " + part.chunks() + " chunks"))
        .toList();
  }

  /** A bar for each shard. */
  String picture() {
    return AdvicePictures.shares(
        "data by shard",
        shards.stream().map(Part::shard).toList(),
        shards.stream().map(this::share).toList());
  }
}
