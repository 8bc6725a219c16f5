package dev.wisent.query.script;

/** The small helpers that functions find in MongoDB's server, as a part of the prelude. */
final class ScriptHelpers {
  static final String SOURCE =
      """
      (function (global, host, hidden) {
        hidden(global, 'isString', (x) => typeof x === 'string');
        hidden(global, 'isNumber', (x) => typeof x === 'number');
        hidden(Array, 'sum', (list) => list.length === 0 ? null : list.reduce((a, b) => a + b));
        hidden(Array, 'avg', (list) => list.length === 0 ? null : Array.sum(list) / list.length);
        hidden(Array, 'contains', (list, value) => list.includes(value));
        hidden(Array, 'unique', (list) => [...new Set(list)]);
        hidden(global, 'isObject', (x) => x instanceof Object && !(x instanceof Array));
        hidden(global, 'tojson', function tojson(x) {
          if (x === undefined) { return 'undefined'; }
          if (x === null || typeof x === 'number' || typeof x === 'boolean') { return String(x); }
          if (typeof x === 'string') { return JSON.stringify(x); }
          if (typeof x === 'function') { return x.toString(); }
          if (x instanceof Date) { return 'ISODate("' + x.toISOString() + '")'; }
          if (x instanceof RegExp) { return x.toString(); }
          if (typeof x.tojson === 'function') { return x.tojson(); }
          if (Array.isArray(x)) {
            return x.length ? '[ ' + x.map((y) => tojson(y)).join(', ') + ' ]' : '[ ]';
          }
          const parts = Object.keys(x).map((key) => JSON.stringify(key) + ' : ' + tojson(x[key]));
          return parts.length ? '{ ' + parts.join(', ') + ' }' : '{ }';
        });
        hidden(global, 'tojsononeline', global.tojson);
        const statics = (type, functions) => {
          for (const name of Object.keys(functions)) { hidden(type, name, functions[name]); }
        };
        statics(Array, {
          stdDev(list) {
            const mean = Array.avg(list);
            return Math.sqrt(Array.avg(list.map((x) => (x - mean) * (x - mean))));
          },
          shuffle(list) {
            for (let i = 0; i < list.length; i++) {
              const j = i + Math.floor(Math.random() * (list.length - i));
              [list[i], list[j]] = [list[j], list[i]];
            }
            return list;
          },
        });
        statics(Object, {
          extend(to, from) { return Object.assign(to, from); },
          merge(a, b) { return Object.assign({}, a, b); },
          keySet(object) {
            const keys = [];
            for (const key in object) {
              const above = Object.getPrototypeOf(object);
              if (!(key in above && object[key] === above[key])) { keys.push(key); }
            }
            return keys;
          },
          bsonsize(...args) {
            if (args.length !== 1) { throw new Error('bsonsize needs 1 argument'); }
            if (args[0] === null) { return 0; }
            if (typeof args[0] !== 'object') {
              throw new Error('argument to bsonsize has to be an object');
            }
            return host.bsonSize(args[0]);
          },
        });
        statics(String.prototype, {
          ltrim() { return this.trimStart(); },
          rtrim() { return this.trimEnd(); },
        });
        hidden(global, 'sleep', function sleep(...args) {
          if (args.length !== 1 || !(Number(args[0]) >= -(2 ** 31) && Number(args[0]) < 2 ** 31)) {
            throw new Error('sleep takes a single numeric argument');
          }
          host.sleep(Math.trunc(Number(args[0])));
        });
        hidden(global, 'hex_md5', function hex_md5(...args) {
          if (args.length !== 1 || typeof args[0] !== 'string') {
            throw new Error('hex_md5 takes a single string argument');
          }
          return host.md5(args[0]);
        });
        const serverVersion = host.version;
        hidden(global, 'version', function version() { return serverVersion; });
        hidden(global, 'gc', function gc() {});
        hidden(global, 'print', function print() {});
        hidden(global, 'printjson', function printjson() {});
        hidden(global, 'assert', function assert(condition, message) {
          if (!condition) { throw new Error('assert failed' + (message ? ' : ' + message : '')); }
        });
      })
      """;

  private ScriptHelpers() {}
}
