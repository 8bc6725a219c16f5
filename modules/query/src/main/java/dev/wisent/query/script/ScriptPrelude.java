package dev.wisent.query.script;

/**
 * What functions find when they start: the classes for BSON types and the small helpers that
 * MongoDB's server has. It gives our side the means to make and take apart values, and then freezes
 * everything but the global object, of which our side can remove what functions have added.
 */
final class ScriptPrelude {
  static final String SOURCE =
      """
      (function (host) {
        'use strict';
        const global = globalThis;
        const kinds = new WeakMap();
        const hidden = (object, name, value) =>
          Object.defineProperty(object, name, {value: value, enumerable: false});
        const constructors = {};

        // Classes as the shell has them can be called with and without "new".
        function define(name, kind, construct, methods) {
          const type = {[name]: function (...args) {
            const self = Object.create(type.prototype);
            kinds.set(self, kind);
            const other = construct(self, ...args);
            return other === undefined ? self : other;
          }}[name];
          for (const method of Object.keys(methods)) {
            hidden(type.prototype, method, methods[method]);
          }
          hidden(global, name, type);
          constructors[kind] = type;
          return type;
        }

        const hexDigits = (length) => {
          let text = '';
          while (text.length < length) {
            text += Math.floor(Math.random() * 16).toString(16);
          }
          return text;
        };

        define('ObjectId', 'objectId', (self, text) => {
          if (text !== null && typeof text === 'object' && kinds.get(text) === 'objectId') {
            text = text.str;
          }
          if (text === undefined) {
            const seconds = Math.floor(Date.now() / 1000).toString(16).padStart(8, '0');
            text = seconds + hexDigits(16);
          }
          if (typeof text !== 'string' || !/^[0-9a-fA-F]{24}$/.test(text)) {
            throw new Error('invalid object id: length');
          }
          hidden(self, 'str', text.toLowerCase());
        }, {
          toString() { return 'ObjectId("' + this.str + '")'; },
          valueOf() { return this.str; },
          toHexString() { return this.str; },
          equals(other) { return other instanceof ObjectId && other.str === this.str; },
          getTimestamp() { return new Date(parseInt(this.str.substring(0, 8), 16) * 1000); },
          tojson() { return this.toString(); },
        });

        define('NumberLong', 'long', (self, value) => {
          let exact;
          if (value === undefined) {
            exact = 0n;
          } else if (typeof value === 'number') {
            if (!Number.isFinite(value)) {
              throw new Error('number passed to NumberLong is not finite');
            }
            exact = BigInt(Math.trunc(value));
          } else if (typeof value === 'string') {
            if (!/^[+-]?[0-9]+$/.test(value)) {
              throw new Error('could not convert string to long long');
            }
            exact = BigInt(value);
          } else if (value !== null && kinds.get(value) === 'long') {
            exact = BigInt(value.$text);
          } else {
            exact = BigInt(Math.trunc(Number(value)));
          }
          hidden(self, '$text', BigInt.asIntN(64, exact).toString());
          hidden(self, 'floatApprox', Number(self.$text));
        }, {
          toNumber() { return Number(this.$text); },
          valueOf() { return Number(this.$text); },
          compare(other) {
            const a = BigInt(this.$text);
            const b = BigInt(NumberLong(other).$text);
            return a < b ? -1 : a > b ? 1 : 0;
          },
          toString() {
            return Number.isSafeInteger(Number(this.$text)) && Math.abs(Number(this.$text)) < 2 ** 31
              ? 'NumberLong(' + this.$text + ')'
              : 'NumberLong("' + this.$text + '")';
          },
          tojson() { return this.toString(); },
        });

        define('NumberInt', 'int', (self, value) => {
          hidden(self, '$number', Number(value === undefined ? 0 : value) | 0);
        }, {
          toNumber() { return this.$number; },
          valueOf() { return this.$number; },
          toString() { return 'NumberInt(' + this.$number + ')'; },
          tojson() { return this.toString(); },
        });

        define('NumberDecimal', 'decimal', (self, value) => {
          const text = value === undefined ? '0'
            : kinds.get(Object(value)) === 'decimal' ? value.$text : String(value);
          if (!/^[+-]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)$/i
              .test(text)) {
            throw new Error('Input is not a valid Decimal128 value.');
          }
          hidden(self, '$text', text);
        }, {
          toString() { return 'NumberDecimal("' + this.$text + '")'; },
          tojson() { return this.toString(); },
        });

        define('Timestamp', 'timestamp', (self, t, i) => {
          self.t = t === undefined ? 0 : Number(t);
          self.i = i === undefined ? 0 : Number(i);
          if (!(self.t >= 0 && self.t < 2 ** 32 && self.i >= 0 && self.i < 2 ** 32)) {
            throw new Error('Timestamp needs two numbers that fit 32 bits');
          }
        }, {
          getTime() { return this.t; },
          getInc() { return this.i; },
          toString() { return 'Timestamp(' + this.t + ', ' + this.i + ')'; },
          tojson() { return this.toString(); },
        });

        const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
        const toBytes = (text) => {
          const bytes = [];
          let bits = 0, count = 0;
          for (const c of text.replace(/=+$/, '')) {
            const digit = digits.indexOf(c);
            if (digit < 0) { throw new Error('invalid base64'); }
            bits = (bits << 6) | digit;
            count += 6;
            if (count >= 8) {
              count -= 8;
              bytes.push((bits >> count) & 0xFF);
            }
          }
          return bytes;
        };
        const toBase64 = (bytes) => {
          let text = '';
          for (let i = 0; i < bytes.length; i += 3) {
            const bits = (bytes[i] << 16) | ((bytes[i + 1] || 0) << 8) | (bytes[i + 2] || 0);
            text += digits[bits >> 18] + digits[(bits >> 12) & 63]
              + (i + 1 < bytes.length ? digits[(bits >> 6) & 63] : '=')
              + (i + 2 < bytes.length ? digits[bits & 63] : '=');
          }
          return text;
        };
        const toHex = (bytes) => bytes.map((b) => b.toString(16).padStart(2, '0')).join('');
        const ofHex = (text) => {
          if (typeof text !== 'string' || text.length % 2 || /[^0-9a-fA-F]/.test(text)) {
            throw new Error('invalid hex');
          }
          return (text.match(/../g) || []).map((pair) => parseInt(pair, 16));
        };

        define('BinData', 'binary', (self, type, text) => {
          if (typeof type !== 'number' || type < 0 || type > 255 || typeof text !== 'string') {
            throw new Error('BinData needs a subtype from 0 to 255 and base64 text');
          }
          hidden(self, 'type', type);
          hidden(self, '$base64', toBase64(toBytes(text)));
        }, {
          base64() { return this.$base64; },
          hex() { return toHex(toBytes(this.$base64)); },
          length() { return toBytes(this.$base64).length; },
          subtype() { return this.type; },
          toString() {
            if (this.type === 4 && this.length() === 16) {
              return 'UUID("' + this.hex().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') + '")';
            }
            return 'BinData(' + this.type + ',"' + this.$base64 + '")';
          },
          tojson() { return this.toString(); },
        });
        hidden(global, 'HexData', function HexData(type, text) {
          return BinData(type, toBase64(ofHex(text)));
        });
        hidden(global, 'UUID', function UUID(text) {
          const hex = text === undefined
            ? hexDigits(12) + '4' + hexDigits(3) + '8' + hexDigits(15)
            : String(text).replace(/-/g, '');
          if (hex.length !== 32) { throw new Error('UUID string must have 32 characters'); }
          return BinData(4, toBase64(ofHex(hex)));
        });
        hidden(global, 'MD5', function MD5(text) { return BinData(5, toBase64(ofHex(text))); });

        let minKey, maxKey;
        define('MinKey', 'minKey', () => minKey, {
          toString() { return 'MinKey'; }, tojson() { return '{ "$minKey" : 1 }'; },
        });
        minKey = MinKey();
        define('MaxKey', 'maxKey', () => maxKey, {
          toString() { return 'MaxKey'; }, tojson() { return '{ "$maxKey" : 1 }'; },
        });
        maxKey = MaxKey();

        define('DBRef', 'object', (self, collection, id, database) => {
          self.$ref = collection;
          self.$id = id;
          if (database !== undefined) { self.$db = database; }
        }, {
          getRef() { return this.$ref; },
          getId() { return this.$id; },
          getDb() { return this.$db; },
          getCollection() { return this.$ref; },
        });
        define('DBPointer', 'dbPointer', (self, ns, id) => { self.ns = ns; self.id = id; }, {
          getNamespace() { return this.ns; }, getId() { return this.id; },
        });
        define('Code', 'code', (self, code, scope) => {
          self.code = String(code);
          if (scope !== undefined) { self.scope = scope; }
        }, {toString() { return this.code; }});

        hidden(global, 'ISODate', function ISODate(text) {
          if (text === undefined) { return new Date(); }
          const date = new Date(/^\\d{8}/.test(text)
            ? text.replace(/^(\\d{4})(\\d\\d)(\\d\\d)/, '$1-$2-$3') : text.replace(' ', 'T')
              .replace(/^(\\d{4}-\\d\\d-\\d\\d)(T[\\d:.]+)?$/, (all, day, time) =>
                time === undefined ? day : day + time + 'Z'));
          if (isNaN(date)) { throw new Error('invalid ISO date: ' + text); }
          return date;
        });
        $helpers(global, host, hidden);

        const put = (object, key, value) => {
          if (key === '__proto__') {
            Object.defineProperty(object, key,
              {value: value, writable: true, enumerable: true, configurable: true});
          } else {
            object[key] = value;
          }
        };
        const fill = (object, parts, from) => {
          for (let i = from; i < parts.length; i += 2) { put(object, parts[i], parts[i + 1]); }
          return object;
        };
        const makers = {
          __proto__: null,
          date: (millis) => new Date(millis),
          regex: (pattern, options) => new RegExp(pattern, options.replace(/[^imsu]/g, '')),
          dbPointer: (ns, id) => DBPointer(ns, ObjectId(id)),
        };
        const bridge = {
          nothing: undefined,
          reset: () => {
            for (const key of Reflect.ownKeys(global)) {
              if (!own.has(key) && !Reflect.deleteProperty(global, key)) { return false; }
            }
            return Reflect.isExtensible(global) && Reflect.getPrototypeOf(global) === above;
          },
          define: (name, value) => {
            Reflect.defineProperty(global, name,
              {value: value, writable: true, enumerable: true, configurable: true});
          },
          newObject: (...parts) => fill(
            parts[0] === '$ref' && parts[2] === '$id' ? Object.create(DBRef.prototype) : {}, parts, 0),
          extendObject: (object, ...parts) => fill(object, parts, 0),
          newArray: (...items) => items,
          extendArray: (array, ...items) => { array.push(...items); return array; },
          newTyped: (kind, ...args) => (makers[kind] || constructors[kind])(...args),
          keysOf: (object) => Object.keys(object),
          kindOf: (value) => value === null ? 'null'
            : value === undefined ? 'undefined'
            : value === MinKey ? 'minKey' : value === MaxKey ? 'maxKey'
            : typeof value === 'function' ? 'function'
            : typeof value === 'bigint' || typeof value === 'symbol' ? typeof value
            : kinds.get(value) || (Array.isArray(value) ? 'array'
              : value instanceof Date ? 'date' : value instanceof RegExp ? 'regex' : 'object'),
        };

        // Assignments to fields of objects must work although the prototypes cannot be changed.
        for (const prototype of [Object.prototype, Function.prototype, Error.prototype]) {
          for (const name of Object.getOwnPropertyNames(prototype)) {
            const property = Object.getOwnPropertyDescriptor(prototype, name);
            if ('value' in property && property.configurable) {
              const value = property.value;
              Object.defineProperty(prototype, name, {
                get() { return value; },
                set(other) {
                  Object.defineProperty(this, name,
                    {value: other, writable: true, enumerable: true, configurable: true});
                },
                enumerable: false,
                configurable: false,
              });
            }
          }
        }
        const frozen = new Set();
        const freeze = (object) => {
          if (object === null || (typeof object !== 'object' && typeof object !== 'function')
              || frozen.has(object)) {
            return;
          }
          frozen.add(object);
          Object.freeze(object);
          freeze(Object.getPrototypeOf(object));
          for (const key of Reflect.ownKeys(object)) {
            const property = Object.getOwnPropertyDescriptor(object, key);
            freeze(property.value);
            freeze(property.get);
            freeze(property.set);
          }
        };
        // The global object takes new variables; those that are there stay as they are.
        frozen.add(global);
        for (const key of Reflect.ownKeys(global)) {
          const property = Object.getOwnPropertyDescriptor(global, key);
          freeze(property.value);
          freeze(property.get);
          freeze(property.set);
          if (property.configurable) {
            Object.defineProperty(global, key, 'value' in property
              ? {writable: false, configurable: false} : {configurable: false});
          }
        }
        const own = new Set(Reflect.ownKeys(global));
        const above = Reflect.getPrototypeOf(global);
        freeze(above);
        for (const other of [function* () {}, async function () {}, async function* () {},
            [][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries(), new Set().values(),
            'x'.matchAll(/x/g)]) {
          freeze(Object.getPrototypeOf(other));
        }
        return bridge;
      })
      """
          .replace("$helpers", ScriptHelpers.SOURCE);

  private ScriptPrelude() {}
}
