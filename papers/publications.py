"""The five papers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper: how it is called in text, when it appeared, and its entry in a bibliography."""

    key: str
    authors: str
    year: int
    title: str
    where: str
    bibtex: str

    @property
    def name(self) -> str:
        """Authors and year."""
        return f"{self.authors} {self.year}"


def _paper(key: str, authors: str, year: int, title: str, where: str, kind: str, names: str,
           **fields: str) -> Paper:  # fmt: skip
    lines = {"author": names, "title": f"{{{title}}}", **fields, "year": str(year)}
    entry = ",\n".join(f"  {name} = {{{value}}}" for name, value in lines.items())
    return Paper(key, authors, year, title, where, f"@{kind}{{{key}{year},\n{entry}\n}}\n")


PAPERS = {
    paper.key: paper
    for paper in (
        _paper(
            "chaudhuri", "Chaudhuri, Sarwate & Sinha", 2013,
            "A Near-Optimal Algorithm for Differentially-Private Principal Components",
            "Journal of Machine Learning Research 14, 2905–2943", "article",
            "Kamalika Chaudhuri and Anand D. Sarwate and Kaushik Sinha",
            journal="Journal of Machine Learning Research", volume="14", pages="2905--2943",
        ),
        _paper(
            "imtiaz", "Imtiaz & Sarwate", 2016,
            "Symmetric Matrix Perturbation for Differentially-Private Principal Component Analysis",
            "ICASSP 2016, 2339–2343", "inproceedings",
            "Hafiz Imtiaz and Anand D. Sarwate",
            booktitle="IEEE International Conference on Acoustics, Speech and Signal Processing",
            pages="2339--2343",
        ),
        _paper(
            "jiang", "Jiang, Xie & Zhang", 2016,
            "Wishart Mechanism for Differentially Private Principal Components Analysis",
            "AAAI 2016, 1730–1736", "inproceedings",
            "Wuxuan Jiang and Cong Xie and Zhihua Zhang",
            booktitle="AAAI Conference on Artificial Intelligence", pages="1730--1736",
        ),
        _paper(
            "gonen", "Gonen & Gilad-Bachrach", 2018,
            "Smooth Sensitivity Based Approach for Differentially Private PCA",
            "ALT 2018, PMLR 83, 438–450", "inproceedings",
            "Alon Gonen and Ran Gilad-Bachrach",
            booktitle="Algorithmic Learning Theory", series="PMLR", volume="83", pages="438--450",
        ),
        _paper(
            "wang-xu", "Wang & Xu", 2020,
            "Principal Component Analysis in the Local Differential Privacy Model",
            "Theoretical Computer Science 809, 296–312", "article",
            "Di Wang and Jinhui Xu",
            journal="Theoretical Computer Science", volume="809", pages="296--312",
        ),
    )
}  # fmt: skip
"""By key, in order of appearance."""
