package dev.wisent.example.social;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.nin;
import static com.mongodb.client.model.Filters.or;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.ValidationOptions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * People, what they write, and who may read it.
 *
 * <p>Writing is made expensive so that reading is cheap: a post is copied to the wall of its author
 * and to the news of everybody who follows and may see it. Walls and news have one document for
 * each month, and the copies in them carry the last three comments; all of a post is in {@code
 * posts}.
 */
public final class SocialNetwork {
  /** The circle that everybody is in who is not blocked. */
  public static final String PUBLIC = "*public*";

  private static final int COMMENTS_SHOWN = 3;
  private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("yyyyMM");

  private final Clock clock;
  private final MongoCollection<Document> people;
  private final MongoCollection<Document> posts;
  private final MongoCollection<Document> walls;
  private final MongoCollection<Document> news;

  public SocialNetwork(MongoDatabase database, Clock clock) {
    this.clock = clock;
    createPeople(database);
    people = database.getCollection("people");
    posts = database.getCollection("posts");
    walls = database.getCollection("walls");
    news = database.getCollection("news");
    for (MongoCollection<Document> pages : List.of(walls, news)) {
      pages.createIndex(
          Indexes.compoundIndex(Indexes.ascending("owner"), Indexes.descending("month")));
      pages.createIndex(Indexes.ascending("posts.id"));
    }
  }

  /** A profile has a name, whatever a client sends. */
  private static void createPeople(MongoDatabase database) {
    if (!database.listCollectionNames().into(new ArrayList<>()).contains("people")) {
      Document schema =
          new Document("bsonType", "object")
              .append("required", List.of("name"))
              .append(
                  "properties",
                  new Document("name", new Document("bsonType", "string").append("minLength", 1)));
      database.createCollection(
          "people",
          new CreateCollectionOptions()
              .validationOptions(
                  new ValidationOptions().validator(new Document("$jsonSchema", schema))));
    }
  }

  public void join(String id, String name) {
    people.insertOne(
        new Document("_id", id)
            .append("name", name)
            .append("followers", List.of())
            .append("circles", new Document())
            .append("blocked", List.of()));
  }

  /** From now on the reader's news have what the author writes and the reader may see. */
  public void follow(String reader, String author) {
    people.updateOne(
        and(eq("_id", author), nin("blocked", reader)), Updates.addToSet("followers", reader));
  }

  /** Puts somebody into one of the author's circles, such as "family". */
  public void addToCircle(String author, String circle, String member) {
    people.updateOne(eq("_id", author), Updates.addToSet("circles." + circle, member));
  }

  /** Somebody sees nothing more of the author, what is in the news already included. */
  public void block(String author, String reader) {
    people.updateOne(
        eq("_id", author),
        Updates.combine(Updates.addToSet("blocked", reader), Updates.pull("followers", reader)));
    news.updateMany(eq("owner", reader), Updates.pull("posts", new Document("by", author)));
  }

  /**
   * Writes a post.
   *
   * @param circles who may read it; none for everybody
   */
  public ObjectId post(String author, String text, String... circles) {
    List<String> readers = circles.length == 0 ? List.of(PUBLIC) : List.of(circles);
    Instant now = clock.instant();
    var id = new ObjectId();
    posts.insertOne(
        new Document("_id", id)
            .append("by", author)
            .append("at", Date.from(now))
            .append("circles", readers)
            .append("text", text)
            .append("comments", List.of()));
    Document copy =
        new Document("id", id)
            .append("by", author)
            .append("at", Date.from(now))
            .append("circles", readers)
            .append("text", text)
            .append("comments", List.of())
            .append("commentCount", 0);
    addTo(walls, author, month(now), copy);
    for (String follower : profile(author).getList("followers", String.class)) {
      if (maySee(follower, author, readers)) {
        addTo(news, follower, month(now), copy);
      }
    }
    return id;
  }

  private static void addTo(
      MongoCollection<Document> pages, String owner, String month, Document copy) {
    pages.updateOne(
        and(eq("owner", owner), eq("month", month)),
        Updates.pushEach("posts", List.of(copy), new PushOptions().position(0)),
        new UpdateOptions().upsert(true));
  }

  /** Adds a comment; false for those who may not see the post. */
  public boolean comment(String reader, ObjectId post, String text) {
    Document commented = posts.find(eq("_id", post)).first();
    if (commented == null
        || !maySee(reader, commented.getString("by"), commented.getList("circles", String.class))) {
      return false;
    }
    Document comment = new Document("by", reader).append("text", text);
    posts.updateOne(eq("_id", post), Updates.push("comments", comment));
    Bson shown =
        Updates.combine(
            Updates.pushEach(
                "posts.$.comments", List.of(comment), new PushOptions().slice(-COMMENTS_SHOWN)),
            Updates.inc("posts.$.commentCount", 1));
    walls.updateMany(eq("posts.id", post), shown);
    news.updateMany(eq("posts.id", post), shown);
    return true;
  }

  /** What somebody finds on the wall of somebody else, the newest first. */
  public List<Document> wall(String owner, String reader) {
    return read(walls, owner, reader);
  }

  /** What the people whom the reader follows have written, the newest first. */
  public List<Document> news(String reader) {
    return read(news, reader, reader);
  }

  private List<Document> read(MongoCollection<Document> pages, String owner, String reader) {
    List<Document> visible = new ArrayList<>();
    for (Document page : pages.find(eq("owner", owner)).sort(Sorts.descending("month"))) {
      for (Document post : page.getList("posts", Document.class)) {
        if (maySee(reader, post.getString("by"), post.getList("circles", String.class))) {
          visible.add(post);
        }
      }
    }
    return visible;
  }

  /** All comments of a post; the copies have only the last ones. */
  public List<Document> comments(ObjectId post) {
    return posts.find(eq("_id", post)).first().getList("comments", Document.class);
  }

  /**
   * The rules: authors see what they wrote, the blocked see nothing, everybody else sees what is
   * public or for a circle that they are in. The server decides, in one query.
   */
  private boolean maySee(String reader, String author, List<String> circles) {
    if (reader.equals(author)) {
      return true;
    }
    List<Bson> ways = new ArrayList<>();
    for (String circle : circles) {
      ways.add(circle.equals(PUBLIC) ? exists("_id") : eq("circles." + circle, reader));
    }
    return people
            .find(and(eq("_id", author), nin("blocked", reader), or(ways)))
            .projection(new Document("_id", 1))
            .first()
        != null;
  }

  private Document profile(String id) {
    Document profile = people.find(eq("_id", id)).first();
    if (profile == null) {
      throw new IllegalArgumentException("nobody is called " + id);
    }
    return profile;
  }

  private static String month(Instant when) {
    return MONTH.format(when.atZone(ZoneOffset.UTC));
  }
}
