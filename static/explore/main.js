import { pageOf } from "../charts/page.js";
import { stylesheets } from "../charts/stylesheets.js";
import { arrive, build, paint } from "./page.js";

await stylesheets("../charts/charts.css", "../explore/explore.css", "../explore/phone.css");

export default pageOf("explore", { build, paint, arrive });
