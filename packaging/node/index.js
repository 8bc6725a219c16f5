'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');

const OPTIONS = ['members', 'shards', 'parameters', 'home', 'timeoutMillis'];
const START_TIMEOUT_MILLIS = 120_000;
const STOP_TIMEOUT_MILLIS = 30_000;
const PORT_ATTEMPTS = 20;
const OUTPUT_LINES_MAX = 30;

/** Below the ports that systems give to clients, which come and go. */
const FIRST_PORT = 20_000;
const LAST_PORT = 30_000;

async function start(options = {}) {
  check(options);
  const launcher = findLauncher(options.home ?? process.env.WISENT_HOME);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'wisent-'));
  const guard = watch(directory);
  try {
    const flags = ['--dbpath', path.join(directory, 'data')];
    for (const [name, value] of Object.entries(options.parameters ?? {})) {
      flags.push('--setParameter', `${name}=${value}`);
    }
    const command = await commandLine(options);
    const server = await launch(launcher, [...command, ...flags], options, guard);
    return running(server, directory, guard);
  } catch (error) {
    fs.rmSync(directory, { recursive: true, force: true });
    guard.stdin.end('stopped\n');
    throw error;
  }
}

/** Stops the server if this process ends without stop(), killed by a signal for example. */
function watch(directory) {
  const guard = spawn(process.execPath, [path.join(__dirname, 'guard.js'), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  guard.stdin.unref();
  return guard;
}

function check(options) {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) {
      throw new TypeError(`unknown option '${name}'; there are ${OPTIONS.join(', ')}`);
    }
  }
  for (const name of ['members', 'shards', 'timeoutMillis']) {
    const value = options[name];
    if (value !== undefined && (!Number.isInteger(value) || value < 1)) {
      throw new TypeError(`${name} is a whole number from 1 on, not ${value}`);
    }
  }
  if (options.members !== undefined && options.shards !== undefined) {
    throw new TypeError('members are for a replica set, and shards for a cluster; give one');
  }
}

function findLauncher(home) {
  if (!home) {
    throw new Error('set WISENT_HOME to the directory of Wisent, or give the option home');
  }
  for (const candidate of ['wisent', path.join('bin', 'wisent')]) {
    const file = path.resolve(home, candidate);
    if (fs.existsSync(file) && fs.statSync(file).isFile()) {
      return file;
    }
  }
  throw new Error(`there is neither wisent nor bin/wisent in ${path.resolve(home)}`);
}

async function commandLine({ members, shards }) {
  if (members === undefined && shards === undefined) {
    return ['server', '--port', '0'];
  }
  // A router and a config server come with the shards.
  const processes = members ?? shards + 2;
  const port = String(await freePorts(processes));
  const size = members === undefined ? ['--shards', shards] : ['--members', members];
  return ['cluster', ...size.map(String), '--port', port];
}

/** The first of several free ports in a row. */
async function freePorts(count) {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const span = LAST_PORT - FIRST_PORT - count;
    const first = FIRST_PORT + Math.floor(Math.random() * span);
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)));
    if (free.every(Boolean)) {
      return first;
    }
  }
  throw new Error(`found no ${count} free ports in a row`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Resolves to the process and its connection string when clients can connect. */
function launch(launcher, args, { timeoutMillis = START_TIMEOUT_MILLIS }, guard) {
  const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) {
    guard.stdin.write(`${child.pid}\n`);
  }
  const output = [];
  return new Promise((resolve, reject) => {
    const fail = (why) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error([`Wisent ${why}: ${launcher} ${args.join(' ')}`, ...output].join('\n')));
    };
    const timer = setTimeout(() => {
      child.kill('SIGTERM');
      const why = `was not ready within ${timeoutMillis} ms`;
      const kill = setTimeout(() => fail(why), STOP_TIMEOUT_MILLIS);
      child.once('close', () => {
        clearTimeout(kill);
        fail(why);
      });
    }, timeoutMillis);
    const ended = (code) => fail(`ended with exit code ${code}`);
    child.once('close', ended);
    child.once('error', (error) => fail(`could not be started, ${error.message}`));
    for (const stream of [child.stdout, child.stderr]) {
      readline.createInterface({ input: stream }).on('line', (line) => {
        output.push(line);
        if (output.length > OUTPUT_LINES_MAX) {
          output.shift();
        }
        const uri = readyUri(line);
        if (uri) {
          clearTimeout(timer);
          child.removeListener('close', ended);
          resolve({ child, uri });
        }
      });
    }
  });
}

/** A server logs its port when it is ready; `wisent cluster` prints a connection string. */
function readyUri(line) {
  const printed = /^\s*(mongodb:\/\/\S+)\s*$/.exec(line);
  if (printed) {
    return printed[1];
  }
  if (!line.startsWith('{') || !line.includes('"Waiting for connections"')) {
    return null;
  }
  return `mongodb://127.0.0.1:${JSON.parse(line).attr.port}/?directConnection=true`;
}

function running({ child, uri }, directory, guard) {
  let stopping;
  const stop = () => {
    stopping ??= end(child).finally(() => {
      fs.rmSync(directory, { recursive: true, force: true });
      guard.stdin.end('stopped\n');
    });
    return stopping;
  };
  return { uri, stop, [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]: stop };
}

function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MILLIS);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

module.exports = { start };
