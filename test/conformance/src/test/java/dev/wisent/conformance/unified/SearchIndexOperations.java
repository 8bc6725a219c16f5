package dev.wisent.conformance.unified;

import com.mongodb.client.ListSearchIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.SearchIndexModel;
import com.mongodb.client.model.SearchIndexType;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Search indexes, which a server of one's own refuses; the cases check how. */
final class SearchIndexOperations {

  private SearchIndexOperations() {}

  static void addTo(OperationTable<MongoCollection<BsonDocument>> table) {
    table.add("createSearchIndex", SearchIndexOperations::createOne);
    table.add("createSearchIndexes", SearchIndexOperations::createMany);
    table.add("updateSearchIndex", SearchIndexOperations::update);
    table.add("dropSearchIndex", SearchIndexOperations::drop);
    table.add("listSearchIndexes", SearchIndexOperations::list);
  }

  private static OperationResult createOne(MongoCollection<BsonDocument> collection, Call call) {
    SearchIndexModel model = model(call.arguments().document("model"));
    return names(collection.createSearchIndexes(List.of(model)));
  }

  private static OperationResult createMany(MongoCollection<BsonDocument> collection, Call call) {
    List<SearchIndexModel> models =
        call.arguments().documents("models").stream().map(SearchIndexOperations::model).toList();
    return names(collection.createSearchIndexes(models));
  }

  private static OperationResult update(MongoCollection<BsonDocument> collection, Call call) {
    Bson definition = call.arguments().document("definition");
    collection.updateSearchIndex(call.arguments().string("name"), definition);
    return OperationResult.none();
  }

  private static OperationResult drop(MongoCollection<BsonDocument> collection, Call call) {
    collection.dropSearchIndex(call.arguments().string("name"));
    return OperationResult.none();
  }

  private static OperationResult list(MongoCollection<BsonDocument> collection, Call call) {
    ListSearchIndexesIterable<BsonDocument> list = collection.listSearchIndexes(BsonDocument.class);
    call.arguments().ifString("name", list::name);
    call.arguments()
        .ifDocument(
            "aggregationOptions",
            options -> list.batchSize(options.getNumber("batchSize").intValue()));
    return OperationResult.ofAll(list.into(new ArrayList<>()));
  }

  private static SearchIndexModel model(BsonDocument description) {
    BsonDocument definition = description.getDocument("definition");
    String name = description.getString("name", new BsonString("")).getValue();
    boolean vector =
        description.getString("type", new BsonString("")).getValue().equals("vectorSearch");
    SearchIndexType type = vector ? SearchIndexType.vectorSearch() : SearchIndexType.search();
    return new SearchIndexModel(name.isEmpty() ? null : name, definition, type);
  }

  private static OperationResult names(List<String> names) {
    return OperationResult.ofAll(names.stream().map(BsonString::new).toList());
  }
}
