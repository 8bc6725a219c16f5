package dev.wisent.example.social;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.PrintStream;
import java.time.Clock;
import java.util.List;
import org.bson.Document;
import org.bson.types.ObjectId;

/** Plays a scene: {@code SocialNetworkMain mongodb://localhost:27017}. */
public final class SocialNetworkMain {
  private SocialNetworkMain() {}

  /** The argument is a connection string. */
  public static void main(String[] arguments) {
    String uri = arguments.length == 0 ? "mongodb://localhost:27017" : arguments[0];
    try (MongoClient client = MongoClients.create(uri)) {
      play(client.getDatabase("social_example"), System.out);
    }
  }

  static void play(MongoDatabase database, PrintStream out) {
    database.drop();
    var network = new SocialNetwork(database, Clock.systemUTC());
    network.join("ada", "Ada");
    network.join("ben", "Ben");
    network.join("cleo", "Cleo");
    network.follow("ben", "ada");
    network.follow("cleo", "ada");
    network.addToCircle("ada", "family", "ben");

    ObjectId news = network.post("ada", "The engine works.");
    network.post("ada", "Dinner at eight.", "family");
    for (int i = 1; i <= 4; i++) {
      network.comment("ben", news, "Comment " + i);
    }
    show("Ben's news", network.news("ben"), out);
    show("Cleo's news", network.news("cleo"), out);
    network.block("ada", "cleo");
    show("Cleo's news, after Ada blocked her", network.news("cleo"), out);
    database.drop();
  }

  private static void show(String title, List<Document> posts, PrintStream out) {
    out.println(title + ":");
    for (Document post : posts) {
      out.println("  " + post.getString("by") + ": " + post.getString("text") + comments(post));
    }
  }

  private static String comments(Document post) {
    List<Document> shown = post.getList("comments", Document.class);
    return shown.isEmpty()
        ? ""
        : " (%d comments, the last %d: %s)"
            .formatted(
                post.getInteger("commentCount"),
                shown.size(),
                String.join(
                    "; ", shown.stream().map(comment -> comment.getString("text")).toList()));
  }
}
