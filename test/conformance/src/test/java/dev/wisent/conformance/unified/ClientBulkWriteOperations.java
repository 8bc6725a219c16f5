package dev.wisent.conformance.unified;

import static com.mongodb.client.model.bulk.ClientBulkWriteOptions.clientBulkWriteOptions;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.deleteMany;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.deleteOne;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.insertOne;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.replaceOne;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.updateMany;
import static com.mongodb.client.model.bulk.ClientNamespacedWriteModel.updateOne;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientDeleteManyOptions;
import com.mongodb.client.model.bulk.ClientDeleteOneOptions;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import com.mongodb.client.model.bulk.ClientReplaceOneOptions;
import com.mongodb.client.model.bulk.ClientUpdateManyOptions;
import com.mongodb.client.model.bulk.ClientUpdateOneOptions;
import java.util.List;
import org.bson.BsonDocument;

/** {@code clientBulkWrite}: writes to several collections in one command. */
final class ClientBulkWriteOperations {

  private ClientBulkWriteOperations() {}

  static void addTo(OperationTable<ClientEntity> table) {
    table.add("clientBulkWrite", ClientBulkWriteOperations::bulkWrite);
  }

  private static OperationResult bulkWrite(ClientEntity entity, Call call) {
    Arguments arguments = call.arguments();
    List<ClientNamespacedWriteModel> models =
        arguments.documents("models").stream().map(ClientBulkWriteOperations::model).toList();
    ClientBulkWriteOptions options = clientBulkWriteOptions();
    arguments.ifBoolean("ordered", options::ordered);
    arguments.ifBoolean("bypassDocumentValidation", options::bypassDocumentValidation);
    arguments.ifDocument("let", options::let);
    arguments.ifValue("comment", options::comment);
    arguments.ifBoolean("verboseResults", options::verboseResults);
    MongoCluster cluster =
        arguments
            .optional("writeConcern")
            .map(w -> DriverOptions.writeConcern(w.asDocument()))
            .map(w -> entity.client().withWriteConcern(w))
            .orElse(entity.client());
    return OperationResult.of(
        ClientBulkWriteResults.of(
            call.session()
                .map(session -> cluster.bulkWrite(session, models, options))
                .orElseGet(() -> cluster.bulkWrite(models, options))));
  }

  /** Each model has one field: its kind, with its arguments as the value. */
  private static ClientNamespacedWriteModel model(BsonDocument document) {
    String kind = document.getFirstKey();
    Arguments arguments = new Arguments("clientBulkWrite." + kind, document.getDocument(kind));
    MongoNamespace namespace = new MongoNamespace(arguments.string("namespace"));
    ClientNamespacedWriteModel model =
        switch (kind) {
          case "insertOne" -> insertOne(namespace, arguments.document("document").clone());
          case "updateOne" -> updateOneModel(namespace, arguments);
          case "updateMany" -> updateManyModel(namespace, arguments);
          case "replaceOne" -> replaceOneModel(namespace, arguments);
          case "deleteOne" -> deleteOneModel(namespace, arguments);
          case "deleteMany" -> deleteManyModel(namespace, arguments);
          default -> throw new IllegalArgumentException("client bulk write model " + kind);
        };
    arguments.requireAllRead();
    return model;
  }

  private static ClientNamespacedWriteModel updateOneModel(
      MongoNamespace namespace, Arguments arguments) {
    BsonDocument filter = arguments.document("filter");
    ClientUpdateOneOptions options = ClientUpdateOneOptions.clientUpdateOneOptions();
    arguments.ifDocuments("arrayFilters", options::arrayFilters);
    arguments.ifCollation(options::collation);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifBoolean("upsert", options::upsert);
    arguments.ifDocument("sort", options::sort);
    return arguments.isArray("update")
        ? updateOne(namespace, filter, arguments.documents("update"), options)
        : updateOne(namespace, filter, arguments.document("update"), options);
  }

  private static ClientNamespacedWriteModel updateManyModel(
      MongoNamespace namespace, Arguments arguments) {
    BsonDocument filter = arguments.document("filter");
    ClientUpdateManyOptions options = ClientUpdateManyOptions.clientUpdateManyOptions();
    arguments.ifDocuments("arrayFilters", options::arrayFilters);
    arguments.ifCollation(options::collation);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifBoolean("upsert", options::upsert);
    return arguments.isArray("update")
        ? updateMany(namespace, filter, arguments.documents("update"), options)
        : updateMany(namespace, filter, arguments.document("update"), options);
  }

  private static ClientNamespacedWriteModel replaceOneModel(
      MongoNamespace namespace, Arguments arguments) {
    ClientReplaceOneOptions options = ClientReplaceOneOptions.clientReplaceOneOptions();
    arguments.ifCollation(options::collation);
    arguments.ifHint(options::hint, options::hintString);
    arguments.ifBoolean("upsert", options::upsert);
    arguments.ifDocument("sort", options::sort);
    return replaceOne(
        namespace, arguments.document("filter"), arguments.document("replacement"), options);
  }

  private static ClientNamespacedWriteModel deleteOneModel(
      MongoNamespace namespace, Arguments arguments) {
    ClientDeleteOneOptions options = ClientDeleteOneOptions.clientDeleteOneOptions();
    arguments.ifCollation(options::collation);
    arguments.ifHint(options::hint, options::hintString);
    return deleteOne(namespace, arguments.document("filter"), options);
  }

  private static ClientNamespacedWriteModel deleteManyModel(
      MongoNamespace namespace, Arguments arguments) {
    ClientDeleteManyOptions options = ClientDeleteManyOptions.clientDeleteManyOptions();
    arguments.ifCollation(options::collation);
    arguments.ifHint(options::hint, options::hintString);
    return deleteMany(namespace, arguments.document("filter"), options);
  }
}
