package dev.wisent.junit;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;

/** The driver's clients. Loaded only where a test asks for one. */
final class DriverClients {
  private static final String TYPE = "com.mongodb.client.MongoClient";

  private DriverClients() {}

  static boolean isClient(Class<?> type) {
    return type.getName().equals(TYPE);
  }

  static Object create(String uri) {
    return MongoClients.create(uri);
  }

  static void close(Object client) {
    ((MongoClient) client).close();
  }
}
