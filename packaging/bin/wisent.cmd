@echo off
rem Runs Wisent on Windows with an installed Java of version 25 or later, or with a runtime beside it.
rem
rem   WISENT_JAVA_OPTS   JVM flags that come after, and so override, the ones chosen here
rem   WISENT_JAVA_HOME   the Java to use, when it is not the one of JAVA_HOME or the PATH
setlocal
set "WISENT_DIRECTORY=%~dp0.."
set "WISENT_JAVA=java.exe"
if defined JAVA_HOME set "WISENT_JAVA=%JAVA_HOME%\bin\java.exe"
if exist "%WISENT_DIRECTORY%\runtime\bin\java.exe" set "WISENT_JAVA=%WISENT_DIRECTORY%\runtime\bin\java.exe"
if defined WISENT_JAVA_HOME set "WISENT_JAVA=%WISENT_JAVA_HOME%\bin\java.exe"
if "%~1"=="bench" (
  echo wisent: the benchmark is not in this distribution; run ./wisent bench in a checkout 1>&2
  exit /b 2
)
if not defined WISENT_JAVA_OPTS set "WISENT_JAVA_OPTS=-XX:+UseSerialGC"
"%WISENT_JAVA%" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError %WISENT_JAVA_OPTS% "-Dwisent.launcher=%~0" -cp "%WISENT_DIRECTORY%\lib\*" dev.wisent.cli.WisentMain %*
exit /b %ERRORLEVEL%
