// mongosh, which connects as each case says and prints what comes of it.
// Run as: mongosh --nodb --eval 'var input = {file: CASES}' login-mongosh.js
function attempt({ uri, database, commands }) {
  try {
    const target = new Mongo(uri).getDB(database);
    let reply;
    for (const command of commands) {
      reply = target.runCommand(command);
    }
    return { reply };
  } catch (e) {
    return { code: e.code, message: `${e}` };
  }
}

for (const each of JSON.parse(require('fs').readFileSync(input.file, 'utf8')).cases) {
  print(`OUTCOME ${EJSON.stringify(attempt(each))}`);
}
