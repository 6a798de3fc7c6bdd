import { pageOf } from "../charts/page.js";
import { stylesheets } from "../charts/stylesheets.js";
import { arrive, build, paint } from "./page.js";

await stylesheets("../charts/charts.css", "../compare/compare.css");

export default pageOf("compare", { build, paint, arrive });
