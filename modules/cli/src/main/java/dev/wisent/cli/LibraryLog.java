package dev.wisent.cli;

import dev.wisent.base.log.Log;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Sends what libraries say through SLF4J to the server's log. They call a member that cannot be
 * reached a warning, every time, so their warnings are detail here, and their errors warnings. The
 * library finds this class by its name in {@code META-INF/services}; those who embed a server have
 * one of their own.
 */
public final class LibraryLog implements SLF4JServiceProvider {
  private static final int LOG_ID = 9_000_150;

  /** A process has one provider and one server log. */
  private static volatile Log target = Log.silent();

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  static void sendTo(Log log) {
    target = log;
  }

  @Override
  public void initialize() {}

  @Override
  public ILoggerFactory getLoggerFactory() {
    return LibraryLogger::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0";
  }

  private static final class LibraryLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    LibraryLogger(String loggerName) {
      name = loggerName;
    }

    @Override
    protected String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level, Marker marker, String pattern, Object[] arguments, Throwable error) {
      String text = MessageFormatter.basicArrayFormat(pattern, arguments);
      Object cause = error == null ? null : error.toString();
      if (level == Level.ERROR) {
        target.warn(LOG_ID, "Library", "logger", name, "text", text, "error", cause);
      } else {
        target.debug(LOG_ID, "Library", "logger", name, "text", text, "error", cause);
      }
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return target.isDebug();
    }

    @Override
    public boolean isInfoEnabled() {
      return target.isDebug(2);
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }
  }
}
