// Runs numbered files one after the other, as if they were typed into one session.
const wisentFiles = require('fs');
globalThis.wisentShow = (value) => {
  if (value !== undefined) console.log(value);
};
for (let wisentNumber = 0; ; wisentNumber++) {
  const wisentFile = wisentNumber + '.js';
  while (!wisentFiles.existsSync(wisentFile)) sleep(10);
  let wisentEnd = '\u0001ran';
  try {
    load(wisentFile);
  } catch (e) {
    console.log((e.codeName ? e.name + '[' + e.codeName + ']' : e.name) + ': ' + e.message);
    wisentEnd = '\u0001failed';
  }
  console.log(wisentEnd);
}
