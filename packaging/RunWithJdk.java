import java.io.IOException;
import java.util.List;

/**
 * Runs a program with JAVA_HOME set to the JDK that runs this: the build's, which may be another
 * one than Maven's.
 */
final class RunWithJdk {
  private RunWithJdk() {}

  public static void main(String[] command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(List.of(command)).inheritIO();
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    System.exit(builder.start().waitFor());
  }
}
