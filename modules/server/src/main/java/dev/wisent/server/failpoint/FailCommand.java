package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the {@code failCommand} fail point does, and to which commands.
 *
 * @param skips how many commands to spare before it acts
 * @param times how often it acts then; {@link Long#MAX_VALUE} for always
 * @param errorCode 0 for none
 * @param errorLabels labels of the error, or null for those that it has anyway
 * @param errorExtraInfo fields to add to the error, or null
 * @param writeConcernError what to add to replies, or null
 * @param blockMillis how long to wait before anything else, or -1
 */
public record FailCommand(
    long skips,
    long times,
    boolean allCommands,
    Set<String> commands,
    String appName,
    String threadName,
    String namespace,
    boolean closeConnection,
    int errorCode,
    RawDocument errorExtraInfo,
    List<String> errorLabels,
    RawDocument writeConcernError,
    long blockMillis) {

  /** Reads the settings. As in MongoDB, fields that mean nothing here are passed over. */
  static FailCommand parse(long skips, long times, RawDocument data) {
    boolean block = flag(data, "blockConnection");
    RawValue errorCode = data.get("errorCode");
    return new FailCommand(
        skips,
        times,
        data.get("failAllCommands") != null,
        Set.copyOf(strings(data, "failCommands")),
        string(data, "appName"),
        string(data, "threadName"),
        string(data, "namespace"),
        flag(data, "closeConnection"),
        errorCode != null && errorCode.isNumber() ? (int) errorCode.toLong() : 0,
        document(data, "errorExtraInfo"),
        data.get("errorLabels") == null ? null : strings(data, "errorLabels"),
        document(data, "writeConcernError"),
        block ? blockMillis(data) : -1);
  }

  private static long blockMillis(RawDocument data) {
    RawValue millis = data.get("blockTimeMS");
    if (millis == null || !millis.isNumber()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "must specify 'blockTimeMS' when 'blockConnection' is true");
    }
    if (millis.toLong() < 0) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "'blockTimeMS' must be non-negative");
    }
    return millis.toLong();
  }

  boolean actsBefore() {
    return closeConnection || errorCode != 0 || blockMillis >= 0;
  }

  /** The settings for the command after one that this applied to; null if that was the last. */
  FailCommand entered() {
    if (skips > 0) {
      return left(skips - 1, times);
    }
    if (times == Long.MAX_VALUE) {
      return this;
    }
    return times <= 1 ? null : left(0, times - 1);
  }

  private FailCommand left(long skipsLeft, long timesLeft) {
    return new FailCommand(
        skipsLeft,
        timesLeft,
        allCommands,
        commands,
        appName,
        threadName,
        namespace,
        closeConnection,
        errorCode,
        errorExtraInfo,
        errorLabels,
        writeConcernError,
        blockMillis);
  }

  private static boolean flag(RawDocument data, String name) {
    RawValue value = data.get(name);
    return value != null && value.isTruthy();
  }

  private static String string(RawDocument data, String name) {
    RawValue value = data.get(name);
    return value == null ? null : ArgumentTypes.string("data." + name, value);
  }

  private static RawDocument document(RawDocument data, String name) {
    RawValue value = data.get(name);
    return value == null ? null : ArgumentTypes.document("data." + name, value);
  }

  private static List<String> strings(RawDocument data, String name) {
    var strings = new ArrayList<String>();
    RawValue value = data.get(name);
    if (value != null) {
      String path = "data." + name;
      ElementCursor elements = ArgumentTypes.array(path, value).elements();
      while (elements.next()) {
        strings.add(ArgumentTypes.string(path, elements.value()));
      }
    }
    return strings;
  }
}
