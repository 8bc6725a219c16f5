package dev.wisent.example;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class AnimalsTest {
  @Test
  void countsAnimals() {
    try (Wisent wisent = Wisent.start();
        MongoClient client = MongoClients.create(wisent.uri())) {
      var animals = client.getDatabase("test").getCollection("animals");
      animals.insertOne(new Document("name", "wisent"));
      assert animals.countDocuments() == 1;
    }
  }
}
