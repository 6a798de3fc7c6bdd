"""Workbooks for tests, as the formats of Excel and LibreOffice have them."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

from dpca_core.tables.files import Upload

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XLSX = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="a" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="Table" sheetId="1" r:id="a"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="a" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "urn:oasis:names:tc:opendocument:xmlns"
AB = (
    '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'
    '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>'
)
"""A header of two columns, and a row."""


def xlsx(rows, name="t.xlsx", **parts):
    """Return a workbook of one sheet with this XML of its rows; ``parts`` are more files."""
    sheet = f'<?xml version="1.0"?><worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData>'
    return _packed(name, _XLSX | {"xl/worksheets/sheet1.xml": f"{sheet}</worksheet>"} | parts)


def ods(rows, name="t.ods"):
    """Return an OpenDocument workbook of one sheet with this XML of its rows."""
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{_NAMES}:office:1.0" '
        f'xmlns:table="{_NAMES}:table:1.0" xmlns:text="{_NAMES}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Table">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = f'<m:manifest xmlns:m="{_NAMES}:manifest:1.0"/>'
    parts = {"mimetype": _ODS, "META-INF/manifest.xml": manifest, "content.xml": content}
    return _packed(name, parts)


def ods_row(*cells, times=1):
    """Return a row of texts and numbers; a whole number in a list is as many empty cells."""
    xml = ""
    for cell in cells:
        if isinstance(cell, list):
            xml += f'<table:table-cell table:number-columns-repeated="{cell[0]}"/>'
        elif isinstance(cell, str):
            xml += (
                '<table:table-cell office:value-type="string">'
                f"<text:p>{cell}</text:p></table:table-cell>"
            )
        else:
            xml += (
                f'<table:table-cell office:value-type="float" office:value="{cell}">'
                f"<text:p>{cell}</text:p></table:table-cell>"
            )
    return f'<table:table-row table:number-rows-repeated="{times}">{xml}</table:table-row>'


def _packed(name, parts):
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return Upload(name, out.getvalue())
