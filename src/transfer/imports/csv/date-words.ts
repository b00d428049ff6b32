// Declared, not asked of Intl: its names differ between versions of ICU, and a cell is read the same
// on every machine. A test compares them.

/** The names of months in en, de, fr, es and pt, in small letters and without accents. */
const names = [
  "january jan jany januar janner jaenner janvier janv enero ene janeiro",
  "february feb febr februar fevrier fevr febrero fevereiro fev",
  "march mar marz maerz mrz mars marzo marco",
  "april apr avril avr abril abr",
  "may mai mayo maio",
  "june jun juni juin junio junho",
  "july jul juli juillet juil julio julho",
  "august aug aout aou agosto ago",
  "september sep sept septembre septiembre setiembre set setembro",
  "october oct oktober okt octobre octubre outubro out",
  "november nov novembre noviembre novembro",
  "december dec dezember dez decembre diciembre dic dezembro",
];

/** The number of each name of a month. */
export const months: ReadonlyMap<string, number> = new Map(
  names.flatMap((text, nth) => text.split(" ").map((name): [string, number] => [name, nth + 1])),
);

/** The names of weekdays in these languages and in Japanese. */
export const weekdays: ReadonlySet<string> = new Set(
  (
    "monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun " +
    "montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sa sonntag so " +
    "lundi lun mardi mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim " +
    "lunes martes miercoles mie jueves jue viernes vie sabado sab domingo dom " +
    "segunda segundafeira seg terca tercafeira ter quarta quartafeira qua quinta quintafeira qui sexta sextafeira sex feira " +
    "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日"
  ).split(" "),
);

/** Minutes east of UTC of the abbreviations that mean one zone. */
export const zones: ReadonlyMap<string, number> = new Map([
  ["Z", 0],
  ["UTC", 0],
  ["GMT", 0],
  ["WET", 0],
  ["BST", 60],
  ["WEST", 60],
  ["CET", 60],
  ["CEST", 120],
  ["MEZ", 60],
  ["MESZ", 120],
  ["EET", 120],
  ["EEST", 180],
  ["JST", 540],
  ["EST", -300],
  ["EDT", -240],
  ["CST", -360],
  ["CDT", -300],
  ["MST", -420],
  ["MDT", -360],
  ["PST", -480],
  ["PDT", -420],
]);
